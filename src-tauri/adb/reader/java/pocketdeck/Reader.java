package pocketdeck;

import java.io.BufferedInputStream;
import java.io.BufferedOutputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.EOFException;
import java.io.File;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.lang.reflect.InvocationTargetException;
import java.nio.charset.Charset;
import java.util.concurrent.ExecutionException;

/** Answers requests about the screen: they come by standard input, answers go to standard output (README.md). */
public final class Reader {
    private static final Charset UTF_8 = Charset.forName("UTF-8");
    private static final byte[] MAGIC = "PDREADER".getBytes(UTF_8);
    private static final int VERSION = 1;
    private static final int MOST = 1 << 20;
    private static final int TREE = 1, WAIT = 2, TEXT = 3, QUIT = 4, ICON = 5;
    private static final int DONE = 0, NO_ROOT = 1, REFUSED = 2, FAILED = 3;

    /** Nothing was done, and why. */
    static final class Refused extends Exception {
        Refused(String why) {
            super(why);
        }
    }

    private final DataInputStream in;
    private final DataOutputStream out;
    private final Icons icons = new Icons();
    private Screen screen;
    private int lastId;
    private long trees;

    private Reader(DataInputStream in, DataOutputStream out) {
        this.in = in;
        this.out = out;
    }

    /** The argument is this program's own file: it is in memory by now, and nothing of it stays. */
    public static void main(String[] arguments) {
        DataOutputStream out =
                new DataOutputStream(new BufferedOutputStream(new FileOutputStream(FileDescriptor.out)));
        // What a maker's code prints must not stand between the answers.
        System.setOut(System.err);
        if (arguments.length > 0) {
            new File(arguments[0]).delete();
        }
        int code = 1;
        try {
            code = new Reader(new DataInputStream(new BufferedInputStream(System.in)), out).serve();
        } catch (Throwable problem) {
            System.err.println("pocketdeck: " + told(problem));
        }
        // Threads that others started would keep it here.
        System.exit(code);
    }

    private int serve() throws IOException {
        out.write(MAGIC);
        try {
            screen = new Screen();
        } catch (Throwable problem) {
            greet(1, told(problem));
            return 1;
        }
        try {
            greet(0, "");
            while (answer()) {}
        } catch (EOFException end) {
            // The computer is gone.
        } finally {
            screen.close();
        }
        return 0;
    }

    private void greet(int outcome, String why) throws IOException {
        ByteArrayOutputStream body = new ByteArrayOutputStream();
        DataOutputStream to = new DataOutputStream(body);
        to.writeByte(VERSION);
        to.writeByte(outcome);
        to.writeInt(Screen.sdk());
        to.write(why.getBytes(UTF_8));
        send(body);
    }

    /** Reads one request and answers it; false: it was the last. */
    private boolean answer() throws IOException {
        int length = in.readInt();
        if (length < 13 || length > MOST) {
            throw new IOException("a request of " + length + " bytes");
        }
        byte[] bytes = new byte[length];
        in.readFully(bytes);
        DataInputStream request = new DataInputStream(new java.io.ByteArrayInputStream(bytes));
        int kind = request.readUnsignedByte();
        int id = request.readInt();
        long nonce = request.readLong();
        ByteArrayOutputStream rest = new ByteArrayOutputStream();
        int outcome = DONE;
        try {
            if (id <= lastId) {
                throw new Refused("request " + id + " is not newer than " + lastId);
            }
            lastId = id;
            outcome = done(kind, request, new DataOutputStream(rest));
        } catch (Refused refused) {
            outcome = REFUSED;
            rest.reset();
            rest.write(told(refused).getBytes(UTF_8));
        } catch (Throwable problem) {
            outcome = FAILED;
            rest.reset();
            rest.write(told(problem).getBytes(UTF_8));
        }
        ByteArrayOutputStream body = new ByteArrayOutputStream();
        DataOutputStream to = new DataOutputStream(body);
        to.writeByte(kind);
        to.writeInt(id);
        to.writeLong(nonce);
        to.writeByte(outcome);
        to.writeLong(trees);
        to.writeLong(screen.events());
        to.writeLong(Screen.now());
        rest.writeTo(to);
        send(body);
        return kind != QUIT;
    }

    private int done(int kind, DataInputStream request, DataOutputStream to) throws Exception {
        switch (kind) {
            case TREE:
                String tree = screen.tree();
                if (tree == null) {
                    return NO_ROOT;
                }
                trees++;
                to.write(tree.getBytes(UTF_8));
                return DONE;
            case WAIT:
                to.writeByte(screen.rests(request.readInt(), request.readInt()) ? 1 : 0);
                return DONE;
            case TEXT:
                to.writeByte(screen.put(text(request)) ? 1 : 2);
                return DONE;
            case ICON:
                int side = request.readInt();
                to.write(icons.png(text(request), side));
                return DONE;
            case QUIT:
                return DONE;
            default:
                throw new Refused("no request is of kind " + kind);
        }
    }

    /** The rest of a request. */
    private static String text(DataInputStream request) throws IOException {
        byte[] text = new byte[request.available()];
        request.readFully(text);
        return new String(text, UTF_8);
    }

    private void send(ByteArrayOutputStream body) throws IOException {
        out.writeInt(body.size());
        body.writeTo(out);
        out.flush();
    }

    private static String told(Throwable problem) {
        while (problem.getCause() != null
                && (problem instanceof InvocationTargetException || problem instanceof ExecutionException)) {
            problem = problem.getCause();
        }
        return problem instanceof Refused ? problem.getMessage() : problem.toString();
    }
}
