// walk SHAPE LOG...
// Prints the canonical text of logs, each after a line `log PATH`, from the Go that the typed form of the schema
// compiles to. SHAPE has the lines of tests/languages/shape.py, with the numbers of the enums. Signed integers;
// see docs/format/conformance.md.
package main

import (
	"bufio"
	"bytes"
	"encoding/hex"
	"fmt"
	"log"
	"math"
	"os"
	"reflect"
	"strconv"
	"strings"

	"changes/mysql_binlog"

	"github.com/kaitai-io/kaitai_struct_go_runtime/kaitai"
)

type field struct {
	name, member, condition string
	// The numbers of an enum; nil for any other field.
	labels map[int64]bool
	// A list of bytes as integers is of the same type as bytes.
	isList bool
}

type shape struct {
	name   string
	fields []field
}

var (
	// By the name of the generated type.
	shapes = map[string]*shape{}
	root   *shape
	err    = reflect.TypeOf((*error)(nil)).Elem()
)

func upperCamel(name string) string {
	var text strings.Builder
	for _, word := range strings.Split(name, "_") {
		if word != "" {
			text.WriteString(strings.ToUpper(word[:1]) + word[1:])
		}
	}
	return text.String()
}

func readShapes(path string) {
	content, failed := os.ReadFile(path)
	if failed != nil {
		log.Fatal(failed)
	}
	var owner *shape
	for _, line := range strings.Split(strings.TrimSpace(string(content)), "\n") {
		words := strings.Split(line, " ")
		if words[0] == "type" {
			owner = &shape{name: words[1]}
			if root == nil {
				root = owner
				shapes["MysqlBinlog"] = owner
			} else {
				shapes["MysqlBinlog_"+upperCamel(words[1])] = owner
			}
			continue
		}
		read := field{name: words[1], member: upperCamel(words[1]), condition: "If" + upperCamel(words[1])}
		if strings.HasPrefix(words[1], "_") {
			read.member = words[1]
		}
		read.isList = strings.HasPrefix(words[2], "array:")
		if numbers, isEnum := strings.CutPrefix(words[2], "enum:"); isEnum {
			read.labels = map[int64]bool{}
			for _, number := range strings.Split(numbers, ",") {
				value, _ := strconv.ParseInt(number, 10, 64)
				read.labels[value] = true
			}
		}
		owner.fields = append(owner.fields, read)
	}
}

// call returns what an instance gives; an error of it goes up as a panic.
func call(method reflect.Value) reflect.Value {
	results := method.Call(nil)
	if len(results) == 2 && results[1].Type().Implements(err) && !results[1].IsNil() {
		panic(results[1].Interface())
	}
	return results[0]
}

func addField(lines *bytes.Buffer, indent string, owner reflect.Value, read field) {
	if condition := owner.MethodByName(read.condition); condition.IsValid() && !call(condition).Bool() {
		return
	}
	var value reflect.Value
	if method := owner.MethodByName(read.member); method.IsValid() {
		value = call(method)
	} else if value = owner.Elem().FieldByName(read.member); !value.IsValid() {
		log.Fatalf("Go has no %s in %s", read.name, owner.Type())
	}
	if value.Kind() == reflect.Interface && value.IsNil() {
		// The body of a type that has no case.
		if raw := owner.Elem().FieldByName("_raw_" + read.member); raw.IsValid() && !raw.IsNil() {
			value = raw
		}
	}
	if read.labels != nil && !read.labels[value.Convert(reflect.TypeOf(int64(0))).Int()] {
		return
	}
	add(lines, indent, read.name, value, read.isList)
}

func add(lines *bytes.Buffer, indent string, name string, value reflect.Value, isList bool) {
	for value.Kind() == reflect.Interface {
		value = value.Elem()
	}
	if !value.IsValid() || (value.Kind() == reflect.Pointer && value.IsNil()) {
		return
	}
	inner := indent + " "
	fmt.Fprintf(lines, "%s%s ", indent, name)
	switch value.Kind() {
	case reflect.Pointer:
		found := shapes[value.Type().Elem().Name()]
		lines.WriteString(found.name + "\n")
		for _, read := range found.fields {
			addField(lines, inner, value, read)
		}
	case reflect.Slice:
		if value.Type().Elem().Kind() == reflect.Uint8 && !isList {
			lines.WriteString("<" + hex.EncodeToString(value.Bytes()) + ">\n")
			return
		}
		fmt.Fprintf(lines, "[%d]\n", value.Len())
		for index := 0; index < value.Len(); index++ {
			add(lines, inner, strconv.Itoa(index), value.Index(index), false)
		}
	default:
		lines.WriteString(scalarText(value) + "\n")
	}
}

func scalarText(value reflect.Value) string {
	switch {
	case value.Kind() == reflect.Bool:
		return strconv.FormatBool(value.Bool())
	case value.Kind() == reflect.String:
		return stringText(value.String())
	case value.CanFloat():
		return floatText(value.Float())
	case value.CanUint():
		return strconv.FormatInt(int64(value.Uint()), 10)
	}
	return strconv.FormatInt(value.Int(), 10)
}

func stringText(text string) string {
	var escaped strings.Builder
	for _, character := range text {
		if character < ' ' || character == 0x7f || character == '\\' {
			fmt.Fprintf(&escaped, "\\%02x", character)
		} else {
			escaped.WriteRune(character)
		}
	}
	return `"` + escaped.String() + `"`
}

func floatText(value float64) string {
	if math.IsNaN(value) {
		return "~7ff8000000000000"
	}
	isNegativeZero := value == 0 && math.Signbit(value)
	if math.Abs(value) < 1<<53 && value == math.Trunc(value) && !isNegativeZero {
		return strconv.FormatInt(int64(value), 10)
	}
	return fmt.Sprintf("~%016x", math.Float64bits(value))
}

// readLog returns the root, or nil if it cannot be read.
func readLog(content []byte) (parsed *mysql_binlog.MysqlBinlog) {
	defer func() {
		if recover() != nil {
			parsed = nil
		}
	}()
	parsed = mysql_binlog.NewMysqlBinlog()
	if failed := parsed.Read(kaitai.NewStream(bytes.NewReader(content)), nil, parsed); failed != nil {
		return nil
	}
	return parsed
}

func addEvent(lines *bytes.Buffer, index int, event reflect.Value) {
	start := lines.Len()
	defer func() {
		if recover() != nil {
			lines.Truncate(start)
			fmt.Fprintf(lines, "  %d !\n", index)
		}
	}()
	add(lines, "  ", strconv.Itoa(index), event, false)
}

func logText(content []byte) []byte {
	var lines bytes.Buffer
	parsed := readLog(content)
	if parsed == nil {
		return []byte(root.name + " !\n")
	}
	lines.WriteString(root.name + " " + root.name + "\n")
	value := reflect.ValueOf(parsed)
	for _, read := range root.fields {
		if read.name != "events" {
			addField(&lines, " ", value, read)
		} else if parsed.Events != nil {
			fmt.Fprintf(&lines, " events [%d]\n", len(parsed.Events))
			for index := range parsed.Events {
				addEvent(&lines, index, reflect.ValueOf(parsed.Events[index]))
			}
		}
	}
	return lines.Bytes()
}

func main() {
	readShapes(os.Args[1])
	out := bufio.NewWriter(os.Stdout)
	for _, path := range os.Args[2:] {
		content, failed := os.ReadFile(path)
		if failed != nil {
			log.Fatal(failed)
		}
		fmt.Fprintf(out, "log %s\n", path)
		out.Write(logText(content))
	}
	if failed := out.Flush(); failed != nil {
		log.Fatal(failed)
	}
}
