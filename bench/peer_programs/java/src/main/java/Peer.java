import com.github.shyiko.mysql.binlog.BinaryLogFileReader;
import com.github.shyiko.mysql.binlog.event.DeleteRowsEventData;
import com.github.shyiko.mysql.binlog.event.Event;
import com.github.shyiko.mysql.binlog.event.EventData;
import com.github.shyiko.mysql.binlog.event.TableMapEventData;
import com.github.shyiko.mysql.binlog.event.UpdateRowsEventData;
import com.github.shyiko.mysql.binlog.event.WriteRowsEventData;
import com.github.shyiko.mysql.binlog.event.deserialization.json.JsonBinary;
import java.io.File;
import java.io.IOException;
import java.io.Serializable;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;

/**
 * mysql-binlog-connector-java on a log file: every row to Java values, JSON to text.
 *
 * <p>The library skips checksums and does not verify them. As a program it prints one line of JSON,
 * as bench/timing.py describes: Peer LOG REPEATS.
 */
public final class Peer {
  private static final byte JSON = (byte) 245;

  private final Map<Long, byte[]> types = new HashMap<>();
  private long inserts;
  private long updates;
  private long deletes;

  private void read(File log) throws IOException {
    try (BinaryLogFileReader reader = new BinaryLogFileReader(log)) {
      for (Event event; (event = reader.readEvent()) != null; ) {
        EventData data = event.getData();
        if (data instanceof TableMapEventData map) {
          types.put(map.getTableId(), map.getColumnTypes());
        } else if (data instanceof WriteRowsEventData write) {
          for (Serializable[] row : write.getRows()) {
            take(row, write.getTableId());
            inserts++;
          }
        } else if (data instanceof UpdateRowsEventData update) {
          for (Map.Entry<Serializable[], Serializable[]> row : update.getRows()) {
            take(row.getKey(), update.getTableId());
            take(row.getValue(), update.getTableId());
            updates++;
          }
        } else if (data instanceof DeleteRowsEventData delete) {
          for (Serializable[] row : delete.getRows()) {
            take(row, delete.getTableId());
            deletes++;
          }
        }
      }
    }
  }

  /** Makes text of the JSON documents of a full row image, which the library leaves binary. */
  private void take(Serializable[] row, long tableId) throws IOException {
    byte[] columns = types.get(tableId);
    for (int i = 0; i < row.length; i++) {
      if (columns[i] == JSON && row[i] != null) {
        row[i] = JsonBinary.parseAsString((byte[]) row[i]);
      }
    }
  }

  private static long peakMemory() throws IOException {
    for (String line : Files.readAllLines(Path.of("/proc/self/status"))) {
      if (line.startsWith("VmHWM:")) {
        return Long.parseLong(line.split("\\s+")[1]) * 1024;
      }
    }
    return 0;
  }

  public static void main(String[] arguments) throws IOException {
    File log = new File(arguments[0]);
    long best = Long.MAX_VALUE;
    Peer peer = new Peer();
    for (int i = 0; i < Integer.parseInt(arguments[1]); i++) {
      peer = new Peer();
      long started = System.nanoTime();
      peer.read(log);
      best = Math.min(best, System.nanoTime() - started);
    }
    StringBuilder rows = new StringBuilder();
    String[] names = {"insert", "update", "delete"};
    long[] counts = {peer.inserts, peer.updates, peer.deletes};
    for (int i = 0; i < names.length; i++) {
      if (counts[i] > 0) {
        rows.append(rows.length() == 0 ? "" : ", ");
        rows.append(String.format("\"%s\": %d", names[i], counts[i]));
      }
    }
    System.out.printf(
        "{\"seconds\": %s, \"num_bytes\": %d, \"rows\": {%s}, \"peak_rss\": %d}%n",
        best / 1e9, log.length(), rows, peakMemory());
  }
}
