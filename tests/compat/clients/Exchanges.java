import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.URI;
import java.net.URL;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.zip.GZIPInputStream;
import javax.net.ssl.HttpsURLConnection;
import javax.net.ssl.SSLContext;

/**
 * Makes the four exchanges with java.net.http or with HttpsURLConnection.
 *
 *     java Exchanges.java client|connection ORIGIN [alone]
 *
 * With "alone" the client trusts what Java itself brings, whatever trust store the options name.
 */
public class Exchanges {
  private static final String QUESTION = "{\"question\":\"what is it?\",\"numbers\":[1,2.5,null]}";

  public static void main(String[] arguments) throws Exception {
    String origin = arguments[1];
    if (arguments.length > 2) {
      for (String each : List.of("", "Type", "Password")) System.clearProperty("javax.net.ssl.trustStore" + each);
    }
    SSLContext trust = SSLContext.getDefault();
    int status = arguments[0].equals("client") ? withClient(origin, trust) : withConnection(origin, trust);
    System.exit(status == 418 ? 22 : 0);
  }

  private static int withClient(String origin, SSLContext trust) throws Exception {
    HttpClient client = HttpClient.newBuilder().sslContext(trust).build();
    show(client.send(to(origin + "/chunked").build(), HttpResponse.BodyHandlers.ofInputStream()));
    show(client.send(
        to(origin + "/gzip").header("accept-encoding", "gzip").build(), HttpResponse.BodyHandlers.ofInputStream()));
    HttpRequest post = to(origin + "/echo")
        .header("content-type", "application/json")
        .POST(HttpRequest.BodyPublishers.ofString(QUESTION))
        .build();
    show(client.send(post, HttpResponse.BodyHandlers.ofInputStream()));
    HttpResponse<InputStream> last =
        client.send(to(origin + "/repeated").build(), HttpResponse.BodyHandlers.ofInputStream());
    System.out.println(last.headers().allValues("x-part"));
    show(last);
    return last.statusCode();
  }

  private static HttpRequest.Builder to(String url) {
    return HttpRequest.newBuilder(URI.create(url));
  }

  private static void show(HttpResponse<InputStream> response) throws IOException {
    String encoding = response.headers().firstValue("content-encoding").orElse("");
    System.out.println(response.statusCode() + " " + text(response.body(), encoding));
  }

  private static int withConnection(String origin, SSLContext trust) throws IOException {
    show(open(origin + "/chunked", trust));
    HttpsURLConnection zipped = open(origin + "/gzip", trust);
    zipped.setRequestProperty("accept-encoding", "gzip");
    show(zipped);
    HttpsURLConnection post = open(origin + "/echo", trust);
    post.setDoOutput(true);
    post.setRequestProperty("content-type", "application/json");
    try (OutputStream body = post.getOutputStream()) {
      body.write(QUESTION.getBytes(StandardCharsets.UTF_8));
    }
    show(post);
    HttpsURLConnection last = open(origin + "/repeated", trust);
    List<String> parts = last.getHeaderFields().get("x-part");
    System.out.println(parts);
    show(last);
    return last.getResponseCode();
  }

  private static HttpsURLConnection open(String url, SSLContext trust) throws IOException {
    HttpsURLConnection connection = (HttpsURLConnection) new URL(url).openConnection();
    connection.setSSLSocketFactory(trust.getSocketFactory());
    return connection;
  }

  private static void show(HttpsURLConnection connection) throws IOException {
    int status = connection.getResponseCode();
    InputStream body = status < 400 ? connection.getInputStream() : connection.getErrorStream();
    String encoding = connection.getContentEncoding();
    System.out.println(status + " " + text(body, encoding == null ? "" : encoding));
  }

  private static String text(InputStream body, String encoding) throws IOException {
    InputStream plain = encoding.equals("gzip") ? new GZIPInputStream(body) : body;
    return new String(plain.readAllBytes(), StandardCharsets.UTF_8);
  }
}
