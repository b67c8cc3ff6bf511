// go-mysql on a log file: every row to Go values, checksums verified.
//
// As a program it prints one line of JSON, as bench/timing.py describes: peer LOG REPEATS.
package main

import (
	"encoding/json"
	"fmt"
	"os"
	"strconv"
	"strings"
	"time"

	"github.com/go-mysql-org/go-mysql/replication"
)

// countRows decodes every row of a log, and returns the row changes by operation.
func countRows(path string) (map[string]int, error) {
	rows := map[string]int{}
	parser := replication.NewBinlogParser()
	parser.SetVerifyChecksum(true)
	err := parser.ParseFile(path, 0, func(event *replication.BinlogEvent) error {
		decoded, isRows := event.Event.(*replication.RowsEvent)
		if !isRows {
			return nil
		}
		switch decoded.Type() {
		case replication.EnumRowsEventTypeInsert:
			rows["insert"] += len(decoded.Rows)
		case replication.EnumRowsEventTypeUpdate:
			rows["update"] += len(decoded.Rows) / 2
		case replication.EnumRowsEventTypeDelete:
			rows["delete"] += len(decoded.Rows)
		}
		return nil
	})
	return rows, err
}

// peakMemory returns the most resident memory of this process, in bytes.
func peakMemory() int {
	status, _ := os.ReadFile("/proc/self/status")
	for _, line := range strings.Split(string(status), "\n") {
		if strings.HasPrefix(line, "VmHWM:") {
			kilobytes, _ := strconv.Atoi(strings.Fields(line)[1])
			return kilobytes * 1024
		}
	}
	return 0
}

func main() {
	path := os.Args[1]
	repeats, _ := strconv.Atoi(os.Args[2])
	best := time.Duration(1 << 62)
	var rows map[string]int
	for i := 0; i < repeats; i++ {
		started := time.Now()
		found, err := countRows(path)
		if err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		rows, best = found, min(best, time.Since(started))
	}
	size, _ := os.Stat(path)
	line, _ := json.Marshal(map[string]any{
		"seconds": best.Seconds(), "num_bytes": size.Size(), "rows": rows, "peak_rss": peakMemory(),
	})
	fmt.Println(string(line))
}
