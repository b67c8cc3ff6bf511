// java Engine PROPERTIES MARK
// Runs Debezium's embedded engine until a row of the table `marks` has the id MARK, or any row if MARK is 0, and
// prints one line of JSON: rows by operation of all other tables, rows per second, seconds of the processor, and
// when rows of the table `ticks` arrived.
import com.sun.management.OperatingSystemMXBean;
import io.debezium.embedded.Connect;
import io.debezium.engine.DebeziumEngine;
import io.debezium.engine.RecordChangeEvent;
import io.debezium.engine.format.ChangeEventFormat;
import java.io.FileReader;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.TreeMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import org.apache.kafka.connect.data.Struct;
import org.apache.kafka.connect.source.SourceRecord;

public class Engine {
    private static final Map<String, String> OPERATIONS = Map.of("c", "insert", "u", "update", "d", "delete");
    private static final CountDownLatch done = new CountDownLatch(1);
    private static final TreeMap<String, Long> rows = new TreeMap<>();
    private static final TreeMap<Long, Long> ticks = new TreeMap<>();
    // Nanoseconds when each batch had been taken, with the rows so far.
    private static final List<long[]> progress = new ArrayList<>();
    private static long mark;
    private static long count;
    private static long busyAtStart;
    private static long busyAtEnd;

    public static void main(String[] arguments) throws Exception {
        Properties properties = new Properties();
        properties.load(new FileReader(arguments[0]));
        mark = Long.parseLong(arguments[1]);
        Throwable[] failure = new Throwable[1];
        var engine = DebeziumEngine.create(ChangeEventFormat.of(Connect.class))
                .using(properties)
                .using((success, message, error) -> {
                    failure[0] = success ? null : error == null ? new RuntimeException(message) : error;
                    done.countDown();
                })
                .notifying(Engine::take)
                .build();
        var executor = Executors.newSingleThreadExecutor();
        executor.execute(engine);
        done.await();
        engine.close();
        executor.shutdown();
        if (failure[0] != null) {
            throw new RuntimeException(failure[0]);
        }
        System.out.println(report());
        System.exit(0);
    }

    private static void take(List<RecordChangeEvent<SourceRecord>> batch,
            DebeziumEngine.RecordCommitter<RecordChangeEvent<SourceRecord>> committer) throws InterruptedException {
        if (progress.isEmpty()) {
            busyAtStart = busy();
        }
        boolean isEnd = false;
        for (RecordChangeEvent<SourceRecord> event : batch) {
            isEnd |= see((Struct) event.record().value());
            committer.markProcessed(event);
        }
        committer.markBatchFinished();
        if (count > 0) {
            progress.add(new long[] {System.nanoTime(), count});
        }
        if (isEnd) {
            busyAtEnd = busy();
            done.countDown();
        }
    }

    /** Count a change, and return whether it is the mark. */
    private static boolean see(Struct value) {
        if (value == null || value.schema().field("op") == null) {
            return false;
        }
        Struct row = value.getStruct("after") == null ? value.getStruct("before") : value.getStruct("after");
        long id = ((Number) row.get("id")).longValue();
        String table = value.getStruct("source").getString("table");
        if (table.equals("marks")) {
            return mark == 0 || id == mark;
        }
        if (table.equals("ticks")) {
            ticks.put(id, System.currentTimeMillis());
        }
        rows.merge(OPERATIONS.get(value.getString("op")), 1L, Long::sum);
        count++;
        return false;
    }

    private static long busy() {
        return ((OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean()).getProcessCpuTime();
    }

    /** The rate is that of the second half of the rows, which compiled code reads. */
    private static String report() {
        double rate = 0;
        if (progress.size() > 1) {
            long[] last = progress.get(progress.size() - 1);
            long[] half = progress.stream().filter(at -> at[1] >= count / 2).findFirst().get();
            rate = (last[1] - half[1]) * 1e9 / (last[0] - half[0]);
        }
        double seconds = (busyAtEnd - busyAtStart) / 1e9;
        return "{\"rows\": " + json(rows) + ", \"rows_per_second\": " + rate + ", \"busy\": " + seconds
                + ", \"ticks\": " + json(ticks) + "}";
    }

    private static String json(Map<?, Long> values) {
        StringBuilder text = new StringBuilder();
        values.forEach((key, value) -> text.append(text.length() == 0 ? "{" : ", ")
                .append('"').append(key).append("\": ").append(value));
        return text.length() == 0 ? "{}" : text.append('}').toString();
    }
}
