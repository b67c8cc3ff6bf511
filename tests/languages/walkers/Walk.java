import io.kaitai.struct.ByteBufferKaitaiStream;
import io.kaitai.struct.KaitaiStream;
import io.kaitai.struct.KaitaiStruct;
import java.io.IOException;
import java.io.PrintStream;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Prints the canonical text of logs, each after a line {@code log PATH}, from the Java that the schema compiles to.
 *
 * <p>{@code java Walk ROOT_CLASS SHAPE LOG...}: SHAPE has the lines of tests/languages/shape.py. Signed integers; see
 * docs/format/conformance.md.
 */
public final class Walk {
    private record Field(String name, Method get) {}

    private record Type(String name, List<Field> fields) {}

    private static final char[] HEX = "0123456789abcdef".toCharArray();

    private final Map<Class<?>, Type> types = new HashMap<>();
    private final Class<?> root;

    private Walk(String rootName, List<String> shape) throws ReflectiveOperationException {
        root = Class.forName(rootName);
        Class<?> owner = null;
        for (String line : shape) {
            String[] words = line.split(" ");
            if (words[0].equals("type")) {
                owner = types.isEmpty() ? root : Class.forName(rootName + "$" + upperCamel(words[1]));
                types.put(owner, new Type(words[1], new ArrayList<>()));
            } else {
                types.get(owner).fields().add(new Field(words[1], owner.getMethod(lowerCamel(words[1]))));
            }
        }
    }

    public static void main(String[] arguments) throws IOException, ReflectiveOperationException {
        Walk walk = new Walk(arguments[0], Files.readAllLines(Path.of(arguments[1])));
        PrintStream out = new PrintStream(System.out, false, StandardCharsets.UTF_8);
        for (String log : List.of(arguments).subList(2, arguments.length)) {
            out.print("log " + log + "\n");
            out.print(walk.text(log));
        }
        out.flush();
        if (out.checkError()) {
            throw new IOException("the output cannot be written");
        }
    }

    private static String upperCamel(String name) {
        StringBuilder text = new StringBuilder();
        for (String word : name.split("_")) {
            text.append(word.isEmpty() ? "" : Character.toUpperCase(word.charAt(0)) + word.substring(1));
        }
        return text.toString();
    }

    private static String lowerCamel(String name) {
        String text = upperCamel(name);
        return name.startsWith("_") ? name : Character.toLowerCase(text.charAt(0)) + text.substring(1);
    }

    private StringBuilder text(String log) throws IOException, ReflectiveOperationException {
        StringBuilder text = new StringBuilder();
        Type type = types.get(root);
        Object logRoot;
        try {
            logRoot = root.getConstructor(KaitaiStream.class)
                .newInstance(new ByteBufferKaitaiStream(Files.readAllBytes(Path.of(log))));
        } catch (InvocationTargetException error) {
            return text.append(type.name()).append(" !\n");
        }
        text.append(type.name()).append(' ').append(type.name()).append('\n');
        for (Field field : type.fields()) {
            Object value = field.get().invoke(logRoot);
            if (!field.name().equals("events")) {
                add(text, " ", field.name(), value);
            } else if (value != null) {
                List<?> events = (List<?>) value;
                text.append(" events [").append(events.size()).append("]\n");
                for (int index = 0; index < events.size(); index++) {
                    addEvent(text, index, events.get(index));
                }
            }
        }
        return text;
    }

    private void addEvent(StringBuilder text, int index, Object event) throws ReflectiveOperationException {
        int start = text.length();
        try {
            add(text, "  ", String.valueOf(index), event);
        } catch (InvocationTargetException error) {
            text.setLength(start);
            text.append("  ").append(index).append(" !\n");
        }
    }

    private void add(StringBuilder text, String indent, String name, Object value)
            throws ReflectiveOperationException {
        if (value == null) {
            return;
        }
        text.append(indent).append(name).append(' ');
        if (value instanceof KaitaiStruct) {
            Type type = types.get(value.getClass());
            text.append(type.name()).append('\n');
            String inner = indent + " ";
            for (Field field : type.fields()) {
                add(text, inner, field.name(), field.get().invoke(value));
            }
        } else if (value instanceof List<?> list) {
            text.append('[').append(list.size()).append("]\n");
            String inner = indent + " ";
            for (int index = 0; index < list.size(); index++) {
                add(text, inner, String.valueOf(index), list.get(index));
            }
        } else {
            addScalar(text, value);
            text.append('\n');
        }
    }

    private static void addScalar(StringBuilder text, Object value) throws ReflectiveOperationException {
        if (value instanceof Boolean) {
            text.append(value);
        } else if (value instanceof String string) {
            addString(text, string);
        } else if (value instanceof byte[] bytes) {
            text.append('<');
            for (byte octet : bytes) {
                text.append(HEX[octet >> 4 & 15]).append(HEX[octet & 15]);
            }
            text.append('>');
        } else if (value instanceof Float || value instanceof Double) {
            addDouble(text, ((Number) value).doubleValue());
        } else if (value instanceof Enum<?>) {
            text.append(value.getClass().getMethod("id").invoke(value));
        } else {
            text.append(((Number) value).longValue());
        }
    }

    private static void addString(StringBuilder text, String string) {
        text.append('"');
        for (int index = 0; index < string.length(); index++) {
            char character = string.charAt(index);
            if (character < 0x20 || character == 0x7f || character == '\\') {
                text.append('\\').append(HEX[character >> 4]).append(HEX[character & 15]);
            } else {
                text.append(character);
            }
        }
        text.append('"');
    }

    private static void addDouble(StringBuilder text, double value) {
        boolean isIntegral = value == Math.rint(value) && Math.abs(value) <= (1L << 53) - 1;
        if (isIntegral && !(value == 0 && 1 / value < 0)) {
            text.append((long) value);
        } else {
            text.append('~').append(String.format("%016x", Double.doubleToLongBits(value)));
        }
    }
}
