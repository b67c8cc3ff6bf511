// java Recorder PROPERTIES MARK
// Runs Debezium's embedded engine until a row of the table `marks` has the id MARK, and prints each message of other
// tables on a line: an object of topic, key, value and headers, with the JSON of the engine.
import io.debezium.engine.ChangeEvent;
import io.debezium.engine.DebeziumEngine;
import io.debezium.engine.format.Json;
import java.io.FileReader;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.Properties;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;

public class Recorder {
    private static final CountDownLatch done = new CountDownLatch(1);

    public static void main(String[] arguments) throws Exception {
        Properties properties = new Properties();
        properties.load(new FileReader(arguments[0]));
        String mark = "\"id\":" + arguments[1] + ",";
        PrintStream out = new PrintStream(System.out, false, StandardCharsets.UTF_8);
        Throwable[] failure = new Throwable[1];
        var engine = DebeziumEngine.create(Json.class, Json.class, Json.class)
                .using(properties)
                .using((success, message, error) -> {
                    failure[0] = success ? null : error == null ? new RuntimeException(message) : error;
                    done.countDown();
                })
                .notifying(event -> take(event, mark, out))
                .build();
        var executor = Executors.newSingleThreadExecutor();
        executor.execute(engine);
        done.await();
        engine.close();
        executor.shutdown();
        if (failure[0] != null) {
            throw new RuntimeException(failure[0]);
        }
        out.flush();
        System.exit(0);
    }

    private static void take(ChangeEvent<String, String> event, String mark, PrintStream out) {
        String topic = event.destination();
        if (topic == null || !topic.contains(".")) {
            return; // a change of the schema
        }
        if (topic.endsWith(".marks")) {
            if (event.value() != null && event.value().contains(mark)) {
                done.countDown();
            }
            return;
        }
        StringBuilder headers = new StringBuilder();
        event.headers().forEach(header -> headers.append(headers.length() == 0 ? "" : ",")
                .append('"').append(header.getKey()).append("\":").append(header.getValue()));
        out.println("{\"topic\":\"" + topic + "\",\"key\":" + event.key() + ",\"value\":" + event.value()
                + ",\"headers\":{" + headers + "}}");
    }
}
