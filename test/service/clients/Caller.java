import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;

/** HttpClient as it comes: `java Caller.java URL KEY` posts twice and gets once, over one client. */
public class Caller {
  public static void main(String[] given) throws Exception {
    var client = HttpClient.newHttpClient();
    for (int turn = 1; turn <= 3; turn++) {
      var request = HttpRequest.newBuilder(URI.create(given[0]))
          .header("X-API-Key", given[1])
          .header("Content-Type", "application/json");
      if (turn < 3) request.POST(BodyPublishers.ofString("{\"turn\":" + turn + "}"));
      HttpResponse<String> answer = client.send(request.build(), BodyHandlers.ofString());
      System.out.println(answer.statusCode() + " " + answer.version() + " " + answer.body());
    }
  }
}
