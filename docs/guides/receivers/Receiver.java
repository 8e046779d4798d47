import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.Executors;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

import static java.nio.charset.StandardCharsets.UTF_8;

/**
 * Receives production reports from Sluice; each counts once, however often it arrives.
 *
 * Start it with: java Receiver.java PORT FILE
 * POST /reports takes {"order": "WO-1042", "good": 118}; GET /totals returns the totals.
 *
 * The JDK has no database, so this receiver appends one line for each report to a file: key, order, count.
 * Key and effect are one write, so a crash cannot separate them. All keys are held in memory too,
 * about 150 bytes each. With a database, do as the other examples do: JDBC, setAutoCommit(false), one commit().
 */
public final class Receiver {
  static final int BODY_BYTES_MAX = 1024 * 1024;
  static final int THREADS = 16;
  static final Pattern KEY = Pattern.compile("[\\x21-\\x7e]{1,255}");
  // The JDK has no JSON reader. These patterns are enough for this example; use a JSON library in production.
  static final Pattern ORDER = Pattern.compile("\"order\"\\s*:\\s*\"([A-Za-z0-9._-]{1,64})\"");
  static final Pattern GOOD = Pattern.compile("\"good\"\\s*:\\s*(\\d{1,6})\\s*[,}]");
  static final Pattern LINE = Pattern.compile("(" + KEY + ")\t([A-Za-z0-9._-]{1,64})\t(\\d{1,6})");

  final FileChannel file;
  final Set<String> seen = new HashSet<>();
  final Map<String, Long> totals = new TreeMap<>();

  public static void main(String[] args) throws IOException {
    // Read when the server starts: seconds that a request may take to arrive.
    System.setProperty("sun.net.httpserver.maxReqTime", "30");
    // Without this, the body of a response may wait 40 ms for the acknowledgement of its head.
    System.setProperty("sun.net.httpserver.nodelay", "true");
    Receiver receiver = new Receiver(Path.of(args[1]));
    InetSocketAddress address = new InetSocketAddress(InetAddress.getLoopbackAddress(), Integer.parseInt(args[0]));
    HttpServer server = HttpServer.create(address, 64);
    server.setExecutor(Executors.newFixedThreadPool(THREADS));
    server.createContext("/", receiver::receive);
    server.start();
    System.out.println("receiving on http://127.0.0.1:" + server.getAddress().getPort());
  }

  Receiver(Path path) throws IOException {
    file = FileChannel.open(path, StandardOpenOption.CREATE, StandardOpenOption.READ, StandardOpenOption.WRITE);
    if (file.tryLock() == null) throw new IOException(path + " is in use by another receiver");
    ByteBuffer buffer = ByteBuffer.allocate(Math.toIntExact(file.size()));
    while (buffer.hasRemaining() && file.read(buffer) >= 0) {}
    int from = 0;
    byte[] bytes = buffer.array();
    for (int at = 0; at < bytes.length; at++) {
      if (bytes[at] != '\n') continue;
      if (!readBack(new String(bytes, from, at - from, UTF_8))) {
        if (at + 1 < bytes.length) throw new IOException(path + " is damaged at byte " + from);
        break;
      }
      from = at + 1;
    }
    // An incomplete last line was never acknowledged with 200: Sluice sends the report again.
    file.truncate(from);
    file.position(from);
    file.force(true);
  }

  boolean readBack(String line) {
    Matcher parts = LINE.matcher(line);
    if (!parts.matches()) return false;
    count(parts.group(1), parts.group(2), Long.parseLong(parts.group(3)));
    return true;
  }

  void count(String key, String order, long good) {
    if (seen.add(key)) totals.merge(order, good, Long::sum);
  }

  /** Synchronized: a second attempt at the same time waits here until the first one has finished. */
  synchronized void take(String key, String order, int good) {
    if (seen.contains(key)) return;
    try {
      ByteBuffer line = ByteBuffer.wrap((key + "\t" + order + "\t" + good + "\n").getBytes(UTF_8));
      while (line.hasRemaining()) file.write(line);
      file.force(true);
    } catch (IOException error) {
      // The state of the file is unknown. After a restart, the receiver reads it again; Sluice retries meanwhile.
      System.err.println("could not store: " + error.getMessage());
      Runtime.getRuntime().halt(1);
    }
    count(key, order, good);
  }

  synchronized String totalsAsJson() {
    return totals.entrySet().stream()
        .map(entry -> "\"" + entry.getKey() + "\": " + entry.getValue())
        .collect(Collectors.joining(", ", "{", "}"));
  }

  void receive(HttpExchange exchange) throws IOException {
    try (exchange) {
      String asked = exchange.getRequestMethod() + " " + exchange.getRequestURI();
      if (asked.equals("GET /totals")) answer(exchange, 200, totalsAsJson());
      else if (asked.equals("POST /reports")) receiveReport(exchange);
      else answer(exchange, 404, error("expected POST /reports or GET /totals"));
    }
  }

  void receiveReport(HttpExchange exchange) throws IOException {
    List<String> keys = exchange.getRequestHeaders().getOrDefault("Idempotency-Key", List.of());
    byte[] body = exchange.getRequestBody().readNBytes(BODY_BYTES_MAX + 1);
    if (body.length > BODY_BYTES_MAX) {
      answer(exchange, 413, error("expected at most " + BODY_BYTES_MAX + " bytes"));
      return;
    }
    if (keys.size() != 1 || !KEY.matcher(keys.get(0)).matches()) {
      answer(exchange, 400, error("expected one Idempotency-Key"));
      return;
    }
    String text = new String(body, UTF_8);
    Matcher order = ORDER.matcher(text);
    Matcher good = GOOD.matcher(text);
    if (!order.find() || !good.find()) {
      answer(exchange, 400, error("expected an order and the number of good parts"));
      return;
    }
    take(keys.get(0), order.group(1), Integer.parseInt(good.group(1)));
    // Only after the commit, and the same for a key that is already stored.
    answer(exchange, 200, "{\"accepted\": \"" + order.group(1) + "\"}");
  }

  static String error(String text) {
    return "{\"error\": \"" + text + "\"}";
  }

  static void answer(HttpExchange exchange, int status, String json) throws IOException {
    byte[] content = json.getBytes(UTF_8);
    exchange.getResponseHeaders().set("Content-Type", "application/json");
    exchange.sendResponseHeaders(status, content.length);
    exchange.getResponseBody().write(content);
  }
}
