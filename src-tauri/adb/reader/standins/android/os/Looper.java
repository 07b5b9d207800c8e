package android.os;

public final class Looper {
    private static final ThreadLocal<Looper> OWN = new ThreadLocal<>();
    private static Looper main;

    public static Looper myLooper() {
        return OWN.get();
    }

    public static synchronized Looper getMainLooper() {
        return main;
    }

    public static void prepare() {
        if (OWN.get() != null) {
            throw new RuntimeException("Only one Looper may be created per thread");
        }
        OWN.set(new Looper());
    }

    public static synchronized void prepareMainLooper() {
        prepare();
        if (main != null) {
            throw new IllegalStateException("The main Looper has already been prepared.");
        }
        main = myLooper();
    }
}
