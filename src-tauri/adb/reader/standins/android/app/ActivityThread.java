package android.app;

import android.content.Context;
import android.os.Looper;
import standin.World;

/** The system's main thread, as a process that is no app's makes itself one. */
public final class ActivityThread {
    private static ActivityThread current;

    private ActivityThread() {
        if (Looper.myLooper() == null) {
            throw new RuntimeException("Can't create handler inside thread that has not called Looper.prepare()");
        }
    }

    public static ActivityThread currentActivityThread() {
        return current;
    }

    public static ActivityThread systemMain() {
        current = new ActivityThread();
        if (World.is("no application")) {
            throw new RuntimeException("Unable to instantiate Application()");
        }
        return current;
    }

    public Context getSystemContext() {
        if (World.is("no context")) {
            throw new NullPointerException("a maker's own context");
        }
        return new Context();
    }
}
