package pocketdeck;

import android.content.Context;
import android.content.pm.PackageManager;
import android.graphics.Bitmap;
import android.graphics.Canvas;
import android.graphics.drawable.Drawable;
import android.os.Looper;
import java.io.ByteArrayOutputStream;
import java.lang.reflect.InvocationTargetException;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** Apps' icons as PNG. They are drawn on a thread of their own: whatever an app's file does to it, trees go on. */
final class Icons implements ThreadFactory {
    /** The longest side, in pixels. */
    private static final int MOST = 192;
    /** No longer is the next request kept waiting, in milliseconds. */
    private static final long WAITS = 800;

    private final ExecutorService worker = Executors.newSingleThreadExecutor(this);
    private Future<byte[]> drawing;
    private String name;
    /** The worker's alone. */
    private PackageManager packages;

    @Override
    public Thread newThread(Runnable work) {
        Thread thread = new Thread(work, "pocketdeck icons");
        thread.setDaemon(true);
        return thread;
    }

    /** A package's icon, this wide and high. What is not drawn in time is refused, and may be there when it is asked for again. */
    byte[] png(final String app, final int side) throws Exception {
        if (side < 1 || side > MOST) {
            throw new Reader.Refused("no icon is " + side + " pixels wide");
        }
        String wanted = app + ' ' + side;
        if (drawing != null && !wanted.equals(name)) {
            if (!drawing.isDone()) {
                throw new Reader.Refused("another icon is being drawn");
            }
            drawing = null;
        }
        if (drawing == null) {
            name = wanted;
            drawing = worker.submit(new Callable<byte[]>() {
                @Override
                public byte[] call() throws Exception {
                    return draw(app, side);
                }
            });
        }
        Future<byte[]> icon = drawing;
        try {
            byte[] png = icon.get(WAITS, TimeUnit.MILLISECONDS);
            drawing = null;
            return png;
        } catch (TimeoutException late) {
            throw new Reader.Refused("it is not drawn yet");
        } catch (ExecutionException problem) {
            drawing = null;
            if (problem.getCause() instanceof Reader.Refused) {
                throw (Reader.Refused) problem.getCause();
            }
            throw problem;
        }
    }

    private byte[] draw(String app, int side) throws Exception {
        if (packages == null) {
            packages = context().getPackageManager();
        }
        Drawable icon;
        try {
            icon = packages.getApplicationIcon(app);
        } catch (PackageManager.NameNotFoundException unknown) {
            throw new Reader.Refused("there is no such app");
        }
        Bitmap bitmap = Bitmap.createBitmap(side, side, Bitmap.Config.ARGB_8888);
        icon.setBounds(0, 0, side, side);
        icon.draw(new Canvas(bitmap));
        ByteArrayOutputStream png = new ByteArrayOutputStream();
        if (!bitmap.compress(Bitmap.CompressFormat.PNG, 100, png)) {
            throw new IllegalStateException("the icon cannot be packed");
        }
        return png.toByteArray();
    }

    /** A context that belongs to no app: what a program without one is given by the system's own main thread. */
    private static Context context() throws Exception {
        // The main thread's handlers want a looper, and some makers' code the main one: here nothing else has prepared it.
        if (Looper.myLooper() == null) {
            if (Looper.getMainLooper() == null) {
                Looper.prepareMainLooper();
            } else {
                Looper.prepare();
            }
        }
        Class<?> type = Class.forName("android.app.ActivityThread");
        Object thread = Screen.call(type, "currentActivityThread").invoke(null);
        if (thread == null) {
            try {
                thread = Screen.call(type, "systemMain").invoke(null);
            } catch (InvocationTargetException problem) {
                // It is the current one before it makes an application, which nobody needs here.
                thread = Screen.call(type, "currentActivityThread").invoke(null);
                if (thread == null) {
                    throw problem;
                }
            }
        }
        return (Context) Screen.call(type, "getSystemContext").invoke(thread);
    }
}
