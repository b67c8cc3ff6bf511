// mono Walk.exe SHAPE LOG...
// Prints the canonical text of logs, each after a line `log PATH`, from the C# that the schema compiles to.
// SHAPE has the lines of tests/languages/shape.py. Signed integers; see docs/format/conformance.md.
using System;
using System.Collections;
using System.Collections.Generic;
using System.IO;
using System.Reflection;
using System.Text;
using Kaitai;

public static class Walk
{
    private sealed class Type_
    {
        public string Name;
        public List<KeyValuePair<string, PropertyInfo>> Fields = new List<KeyValuePair<string, PropertyInfo>>();
    }

    private static readonly Dictionary<Type, Type_> types = new Dictionary<Type, Type_>();

    public static void Main(string[] arguments)
    {
        ReadShapes(arguments[0]);
        using (var output = new StreamWriter(Console.OpenStandardOutput(), new UTF8Encoding(false), 1 << 16))
        {
            for (var index = 1; index < arguments.Length; index++)
            {
                output.Write("log " + arguments[index] + "\n");
                output.Write(LogText(arguments[index]));
            }
        }
    }

    private static string UpperCamel(string name)
    {
        var text = new StringBuilder();
        foreach (var word in name.Split('_'))
        {
            text.Append(word.Length == 0 ? "" : char.ToUpperInvariant(word[0]) + word.Substring(1));
        }
        return text.ToString();
    }

    private static void ReadShapes(string path)
    {
        Type owner = null;
        foreach (var line in File.ReadAllLines(path))
        {
            var words = line.Split(' ');
            if (words[0] == "type")
            {
                var root = typeof(MysqlBinlog);
                owner = types.Count == 0 ? root : root.GetNestedType(UpperCamel(words[1]));
                types[owner] = new Type_ { Name = words[1] };
                continue;
            }
            var name = words[1].StartsWith("_") ? words[1] : UpperCamel(words[1]);
            var property = owner.GetProperty(name);
            if (property == null)
            {
                throw new Exception("C# has no " + words[1] + " in " + owner);
            }
            types[owner].Fields.Add(new KeyValuePair<string, PropertyInfo>(words[1], property));
        }
    }

    private static StringBuilder LogText(string log)
    {
        var text = new StringBuilder();
        var type = types[typeof(MysqlBinlog)];
        MysqlBinlog root;
        try
        {
            root = new MysqlBinlog(new KaitaiStream(File.ReadAllBytes(log)));
        }
        catch (Exception)
        {
            return text.Append(type.Name + " !\n");
        }
        text.Append(type.Name + " " + type.Name + "\n");
        foreach (var field in type.Fields)
        {
            var value = field.Value.GetValue(root, null);
            if (field.Key != "events")
            {
                Add(text, " ", field.Key, value);
            }
            else if (value != null)
            {
                text.Append(" events [" + root.Events.Count + "]\n");
                for (var index = 0; index < root.Events.Count; index++)
                {
                    AddEvent(text, index, root.Events[index]);
                }
            }
        }
        return text;
    }

    private static void AddEvent(StringBuilder text, int index, object value)
    {
        var start = text.Length;
        try
        {
            Add(text, "  ", index.ToString(), value);
        }
        catch (TargetInvocationException)
        {
            text.Length = start;
            text.Append("  " + index + " !\n");
        }
    }

    private static void Add(StringBuilder text, string indent, string name, object value)
    {
        if (value == null || (value is Enum && !Enum.IsDefined(value.GetType(), value)))
        {
            return;
        }
        text.Append(indent).Append(name).Append(' ');
        var inner = indent + " ";
        Type_ type;
        if (types.TryGetValue(value.GetType(), out type))
        {
            text.Append(type.Name).Append('\n');
            foreach (var field in type.Fields)
            {
                Add(text, inner, field.Key, field.Value.GetValue(value, null));
            }
        }
        else if (value is IList && !(value is byte[]))
        {
            var items = (IList)value;
            text.Append('[').Append(items.Count).Append("]\n");
            for (var index = 0; index < items.Count; index++)
            {
                Add(text, inner, index.ToString(), items[index]);
            }
        }
        else
        {
            AddScalar(text, value);
            text.Append('\n');
        }
    }

    private static void AddScalar(StringBuilder text, object value)
    {
        if (value is bool)
        {
            text.Append((bool)value ? "true" : "false");
        }
        else if (value is string)
        {
            AddString(text, (string)value);
        }
        else if (value is byte[])
        {
            text.Append('<');
            foreach (var octet in (byte[])value)
            {
                text.Append(octet.ToString("x2"));
            }
            text.Append('>');
        }
        else if (value is float || value is double)
        {
            AddDouble(text, Convert.ToDouble(value));
        }
        else
        {
            text.Append(value is ulong ? unchecked((long)(ulong)value) : Convert.ToInt64(value));
        }
    }

    private static void AddString(StringBuilder text, string value)
    {
        text.Append('"');
        foreach (var character in value)
        {
            if (character < ' ' || character == '\x7f' || character == '\\')
            {
                text.Append('\\').Append(((int)character).ToString("x2"));
            }
            else
            {
                text.Append(character);
            }
        }
        text.Append('"');
    }

    private static void AddDouble(StringBuilder text, double value)
    {
        var bits = BitConverter.DoubleToInt64Bits(value);
        if (double.IsNaN(value))
        {
            text.Append("~7ff8000000000000");
        }
        else if (Math.Abs(value) <= 9007199254740991 && value == Math.Floor(value) && bits != long.MinValue)
        {
            text.Append((long)value);
        }
        else
        {
            text.Append('~').Append(bits.ToString("x16"));
        }
    }
}
