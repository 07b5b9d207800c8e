package android.os;

public class HandlerThread extends Thread {
    public HandlerThread(String name) {
        super(name);
        setDaemon(true);
    }

    public Looper getLooper() {
        return new Looper();
    }
}
