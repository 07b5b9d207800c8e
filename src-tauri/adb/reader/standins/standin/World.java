package standin;

import android.app.UiAutomation;
import android.view.accessibility.AccessibilityEvent;
import android.view.accessibility.AccessibilityNodeInfo;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.Paths;
import java.util.ArrayList;
import java.util.List;

/**
 * What stands on the screen: a file of lines, each a node as `name=value` between tabs, its depth as so many tabs in front.
 * Whoever changes the file changes the screen; a first line `!word` says what is wrong with the phone, and `!icon NAME COLOR`
 * that an app is installed.
 */
public final class World {
    private static final Path FILE = Paths.get(System.getProperty("standin.world"));
    private static String seen;

    private static synchronized List<String> lines() {
        try {
            return new ArrayList<>(Files.readAllLines(FILE, StandardCharsets.UTF_8));
        } catch (IOException problem) {
            throw new RuntimeException(problem);
        }
    }

    public static boolean is(String word) {
        return lines().contains("!" + word);
    }

    /** The colour of an app's icon, opaque; null where it is not installed. */
    public static Integer icon(String name) {
        String begin = "!icon " + name + " ";
        for (String line : lines()) {
            if (line.startsWith(begin)) {
                return 0xff000000 | Integer.parseInt(line.substring(begin.length()), 16);
            }
        }
        return null;
    }

    public static void pause() {
        try {
            Thread.sleep(5);
        } catch (InterruptedException end) {
            throw new RuntimeException(end);
        }
    }

    public static void note(String what) {
        System.err.println("standin: " + what);
    }

    private static AccessibilityNodeInfo node(String line) {
        AccessibilityNodeInfo node = new AccessibilityNodeInfo();
        node.tell("bounds", "0,0,1080,2400");
        for (String part : line.trim().split("\t")) {
            String[] pair = part.split("=", 2);
            node.tell(pair[0], pair[1]);
        }
        return node;
    }

    public static AccessibilityNodeInfo root() {
        List<AccessibilityNodeInfo> open = new ArrayList<>();
        for (String line : lines()) {
            if (line.startsWith("!")) {
                continue;
            }
            int depth = line.length() - line.replaceFirst("^\t+", "").length();
            AccessibilityNodeInfo node = node(line);
            open.subList(depth, open.size()).clear();
            if (depth > 0) {
                open.get(depth - 1).add(node);
            }
            open.add(node);
        }
        return open.isEmpty() ? null : open.get(0);
    }

    public static AccessibilityNodeInfo find(String id) {
        for (String line : lines()) {
            if (line.contains("id=" + id + "\t")) {
                return node(line);
            }
        }
        return null;
    }

    private static synchronized void change(String id, String name, String value) {
        List<String> lines = lines();
        for (int at = 0; at < lines.size(); at++) {
            if (lines.get(at).contains("id=" + id + "\t")) {
                lines.set(at, lines.get(at).replaceAll("\t" + name + "=[^\t]*", "") + "\t" + name + "=" + value);
            }
        }
        try {
            Files.write(FILE, lines, StandardCharsets.UTF_8);
        } catch (IOException problem) {
            throw new RuntimeException(problem);
        }
    }

    public static void put(String id, String text) {
        change(id, "text", text);
        change(id, "hinting", "false");
    }

    public static void move(String id, int cursor) {
        change(id, "cursor", Integer.toString(cursor));
    }

    public static void tell(final UiAutomation.OnAccessibilityEventListener listener) {
        seen = lines().toString();
        Thread thread = new Thread("world") {
            @Override
            public void run() {
                while (true) {
                    String now = lines().toString();
                    if (!now.equals(seen)) {
                        seen = now;
                        listener.onAccessibilityEvent(new AccessibilityEvent(0x800));
                        listener.onAccessibilityEvent(new AccessibilityEvent(0x1));
                    }
                    try {
                        Thread.sleep(5);
                    } catch (InterruptedException end) {
                        return;
                    }
                }
            }
        };
        thread.setDaemon(true);
        thread.start();
    }
}
