import io.kaitai.struct.ByteBufferKaitaiStream;
import io.kaitai.struct.KaitaiStream;
import io.kaitai.struct.KaitaiStruct;
import java.io.IOException;
import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * Writes logs back, as tests/corpus/written_back.py does: parses all of a log, fills each raw copy with zeros, writes.
 *
 * <p>{@code java WriteBack COPIES LOG...}: COPIES are {@code Type.field} or {@code Type.field=instance} with commas, the
 * instance being what parses the copy if not always. A line of tabs for each log: path, number of zeroed bytes, and the
 * positions of bytes that differ, with commas; or {@code !} if it cannot be parsed or written.
 */
public final class WriteBack {
    private record Copy(String type, String field, String parsed) {}

    private final List<Copy> copies = new ArrayList<>();

    private WriteBack(String names) {
        for (String name : names.split(",")) {
            String[] parts = name.split("[.=]");
            copies.add(new Copy(parts[0], parts[1], parts.length > 2 ? parts[2] : ""));
        }
    }

    public static void main(String[] arguments) throws IOException, ReflectiveOperationException {
        WriteBack writer = new WriteBack(arguments[0]);
        for (String log : List.of(arguments).subList(1, arguments.length)) {
            String written;
            try {
                written = writer.written(Files.readAllBytes(Path.of(log)));
            } catch (RuntimeException error) {
                written = "!";
            }
            System.out.println(log + "\t" + written);
        }
    }

    private String written(byte[] log) throws ReflectiveOperationException {
        MysqlBinlog root = new MysqlBinlog(new ByteBufferKaitaiStream(log));
        root._read();
        root._fetchInstances();
        List<KaitaiStruct.ReadWrite> objects = new ArrayList<>();
        collect(root, objects);
        for (KaitaiStruct.ReadWrite object : objects) {
            object._check();
        }
        int zeroed = 0;
        for (KaitaiStruct.ReadWrite object : objects) {
            int before = zeroed;
            zeroed += fillWithZeros(object);
            if (zeroed > before) {
                object._check();
            }
        }
        KaitaiStream stream = new ByteBufferKaitaiStream(log.length);
        root._write(stream);
        byte[] content = stream.toByteArray();
        List<String> differing = new ArrayList<>();
        for (int at = 0; at < log.length; at++) {
            if (log[at] != content[at]) {
                differing.add(String.valueOf(at));
            }
        }
        return zeroed + "\t" + String.join(",", differing);
    }

    private int fillWithZeros(Object object) throws ReflectiveOperationException {
        int count = 0;
        Class<?> type = object.getClass();
        for (Copy copy : copies) {
            if (!type.getSimpleName().equals(copy.type())) {
                continue;
            }
            byte[] bytes = (byte[]) type.getMethod(copy.field()).invoke(object);
            if (bytes == null || bytes.length == 0) {
                continue;
            }
            if (!copy.parsed().isEmpty() && type.getMethod(copy.parsed()).invoke(object) == null) {
                continue;
            }
            String setter = "set" + Character.toUpperCase(copy.field().charAt(0)) + copy.field().substring(1);
            type.getMethod(setter, byte[].class).invoke(object, (Object) new byte[bytes.length]);
            count += bytes.length;
        }
        return count;
    }

    private static void collect(KaitaiStruct.ReadWrite object, List<KaitaiStruct.ReadWrite> found)
            throws IllegalAccessException {
        found.add(object);
        for (Field field : object.getClass().getDeclaredFields()) {
            if (Modifier.isStatic(field.getModifiers()) || field.getName().startsWith("_")) {
                continue;
            }
            field.setAccessible(true);
            Object value = field.get(object);
            for (Object item : value instanceof List<?> list ? list : value == null ? List.of() : List.of(value)) {
                if (item instanceof KaitaiStruct.ReadWrite inner) {
                    collect(inner, found);
                }
            }
        }
    }
}
