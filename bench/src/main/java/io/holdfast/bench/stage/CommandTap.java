package io.holdfast.bench.stage;

import io.holdfast.bench.contestant.Address;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Listens to the commands that reach the server. INFO counts commands from inside scripts together with commands that clients
 * sent; MONITOR tells them apart. It slows the server down, so nothing is timed meanwhile.
 */
public final class CommandTap implements AutoCloseable {

    private static final Pattern LINE = Pattern.compile("\\+?[\\d.]+ \\[\\d+ (\\S+)] \"([^\"]*)\".*");
    private static final String LAST = "holdfast-bench-end-of-monitor";

    private final Socket socket;
    private final BufferedReader in;
    private final Map<String, Long> sent = new TreeMap<>();
    private long inside;

    private CommandTap(Socket socket) throws IOException {
        this.socket = socket;
        this.in = new BufferedReader(new InputStreamReader(socket.getInputStream(), StandardCharsets.UTF_8), 1 << 16);
    }

    /** Listens from when this returns. */
    static CommandTap open(Address address) throws IOException {
        CommandTap tap = new CommandTap(new Socket(address.host(), address.port()));
        if (address.password() != null) {
            tap.ask("AUTH", address.user() == null ? "default" : address.user(), address.password());
        }
        tap.ask("MONITOR");
        return tap;
    }

    private void ask(String... words) throws IOException {
        StringBuilder command = new StringBuilder("*" + words.length + "\r\n");
        for (String word : words) {
            command.append('$')
                    .append(word.getBytes(StandardCharsets.UTF_8).length)
                    .append("\r\n")
                    .append(word)
                    .append("\r\n");
        }
        OutputStream out = socket.getOutputStream();
        out.write(command.toString().getBytes(StandardCharsets.UTF_8));
        out.flush();
        String answer = in.readLine();
        if (answer == null || !answer.startsWith("+")) {
            throw new IOException("the server does not allow " + words[0] + ": " + answer);
        }
    }

    /** Counts until the bench's own mark goes by: then nothing of what came before is missing. */
    void countUntilMark() throws IOException {
        for (String line = in.readLine(); line != null && !line.contains(LAST); line = in.readLine()) {
            count(line);
        }
    }

    void count(String line) {
        Matcher matcher = LINE.matcher(line);
        if (!matcher.matches()) {
            return;
        }
        if (matcher.group(1).equals("lua")) {
            inside++;
        } else {
            sent.merge(matcher.group(2).toLowerCase(Locale.ROOT), 1L, Long::sum);
        }
    }

    static String mark() {
        return LAST;
    }

    /** What clients sent, by command. */
    public Map<String, Long> sent() {
        return sent;
    }

    /** How many commands scripts ran. */
    public long inside() {
        return inside;
    }

    @Override
    public void close() throws IOException {
        socket.close();
    }
}
