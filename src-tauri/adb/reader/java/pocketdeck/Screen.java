package pocketdeck;

import android.accessibilityservice.AccessibilityServiceInfo;
import android.app.UiAutomation;
import android.graphics.Point;
import android.graphics.Rect;
import android.hardware.display.DisplayManagerGlobal;
import android.os.Build;
import android.os.Bundle;
import android.os.HandlerThread;
import android.os.Looper;
import android.os.SystemClock;
import android.view.Display;
import android.view.accessibility.AccessibilityEvent;
import android.view.accessibility.AccessibilityNodeInfo;
import android.view.accessibility.AccessibilityWindowInfo;
import java.lang.reflect.Constructor;
import java.lang.reflect.Method;
import java.util.List;

/** The phone's one UiAutomation, held. */
final class Screen implements UiAutomation.OnAccessibilityEventListener {
    /** UiAutomation.FLAG_DONT_SUPPRESS_ACCESSIBILITY_SERVICES: a person's screen reader goes on. */
    private static final int DONT_SUPPRESS = 1;
    /** Not-important views (uiautomator reads them too), resource ids, and the list of windows. */
    private static final int FLAGS = 0x02 | 0x10 | 0x40;
    /** Events that tell of a change to what is seen: focus, text, window, content, scrolling, windows. */
    private static final int CHANGES = 0x08 | 0x10 | 0x20 | 0x800 | 0x1000 | 0x400000;
    private static final int HINT_IS_TOLD = 26;
    /** AccessibilityInteractionClient gives an app 5 s; a false after that may yet come true. */
    private static final long CERTAIN = 4000;
    private static final long SHOWS = 400;

    private final UiAutomation automation;
    private final Method clearCache;
    private final Object changed = new Object();
    private long events;
    private long last = now();

    Screen() throws Exception {
        HandlerThread thread = new HandlerThread("pocketdeck");
        thread.start();
        automation = make(thread.getLooper());
        call(UiAutomation.class, "connect", int.class).invoke(automation, DONT_SUPPRESS);
        AccessibilityServiceInfo info = automation.getServiceInfo();
        info.flags |= FLAGS;
        automation.setServiceInfo(info);
        automation.setOnAccessibilityEventListener(this);
        // Since Android 14.
        Method clears = null;
        try {
            clears = call(UiAutomation.class, "clearCache");
        } catch (NoSuchMethodException older) {
            // Setting the service info must do.
        }
        clearCache = clears;
    }

    static int sdk() {
        return Build.VERSION.SDK_INT;
    }

    static long now() {
        return SystemClock.uptimeMillis();
    }

    static Method call(Class<?> of, String name, Class<?>... takes) throws NoSuchMethodException {
        Method method = of.getDeclaredMethod(name, takes);
        method.setAccessible(true);
        return method;
    }

    /** Its constructors are hidden and differ by version; where neither is known, the phone's own uiautomator makes one. */
    private static UiAutomation make(Looper looper) throws Exception {
        Class<?> type = Class.forName("android.app.IUiAutomationConnection");
        Object connection = Class.forName("android.app.UiAutomationConnection").getConstructor().newInstance();
        try {
            Constructor<UiAutomation> known = UiAutomation.class.getDeclaredConstructor(Looper.class, type);
            known.setAccessible(true);
            return known.newInstance(looper, connection);
        } catch (NoSuchMethodException newer) {
            // Then with a display.
        }
        try {
            Constructor<UiAutomation> known =
                    UiAutomation.class.getDeclaredConstructor(int.class, Looper.class, type);
            known.setAccessible(true);
            return known.newInstance(0, looper, connection);
        } catch (NoSuchMethodException unknown) {
            // Then not by us.
        }
        Object wrapper =
                Class.forName("com.android.uiautomator.core.UiAutomationShellWrapper").getConstructor().newInstance();
        call(wrapper.getClass(), "connect").invoke(wrapper);
        UiAutomation made = (UiAutomation) call(wrapper.getClass(), "getUiAutomation").invoke(wrapper);
        // It connects so that other services are suppressed: not as it stays.
        call(UiAutomation.class, "disconnect").invoke(made);
        return made;
    }

    void close() {
        try {
            call(UiAutomation.class, "disconnect").invoke(automation);
        } catch (Exception gone) {
            System.err.println("pocketdeck: " + gone);
        }
    }

    @Override
    public void onAccessibilityEvent(AccessibilityEvent event) {
        if ((event.getEventType() & CHANGES) == 0) {
            return;
        }
        synchronized (changed) {
            events++;
            last = now();
            changed.notifyAll();
        }
    }

    long events() {
        synchronized (changed) {
            return events;
        }
    }

    /** Waits until nothing changed for so many milliseconds, at most `limit`; whether it came to that. */
    boolean rests(int quiet, int limit) throws InterruptedException {
        long until = now() + limit;
        synchronized (changed) {
            while (true) {
                long left = last + quiet - now();
                if (left <= 0) {
                    return true;
                }
                if (until <= now()) {
                    return false;
                }
                changed.wait(Math.max(1, Math.min(left, until - now())));
            }
        }
    }

    /** What was read before must not be read again: the framework keeps nodes, and misses what changes them. */
    private void forget() throws Exception {
        if (clearCache != null && Boolean.TRUE.equals(clearCache.invoke(automation))) {
            return;
        }
        AccessibilityServiceInfo info = automation.getServiceInfo();
        if (info == null) {
            throw new IllegalStateException("what is kept of the screen cannot be cleared");
        }
        automation.setServiceInfo(info);
    }

    private AccessibilityNodeInfo root() throws Exception {
        forget();
        AccessibilityNodeInfo root = automation.getRootInActiveWindow();
        return root != null && root.refresh() ? root : null;
    }

    /** The tree of the active window as `uiautomator dump` writes it, and which windows there are; null without a root. */
    String tree() throws Exception {
        AccessibilityNodeInfo root = root();
        if (root == null) {
            return null;
        }
        Display display = DisplayManagerGlobal.getInstance().getRealDisplay(0);
        Point size = new Point();
        display.getRealSize(size);
        Hierarchy hierarchy = new Hierarchy(display.getRotation(), size.x, size.y);
        List<AccessibilityWindowInfo> windows = automation.getWindows();
        for (AccessibilityWindowInfo window : windows) {
            hierarchy.window(window);
        }
        hierarchy.node(root, 0);
        return hierarchy.end();
    }

    /** Puts a text where the cursor is, in the field with the input focus; whether the field shows it. */
    boolean put(String text) throws Exception {
        AccessibilityNodeInfo root = root();
        AccessibilityNodeInfo field = root == null ? null : root.findFocus(AccessibilityNodeInfo.FOCUS_INPUT);
        if (field == null || !field.isEditable() || !field.isEnabled()) {
            throw new Reader.Refused("no field has the input focus");
        }
        if (field.isPassword()) {
            throw new Reader.Refused("the field is for a password");
        }
        if (sdk() < HINT_IS_TOLD) {
            throw new Reader.Refused("this Android does not tell a hint from a text");
        }
        String before = field.getText() == null || field.isShowingHintText() ? "" : field.getText().toString();
        int from = Math.min(field.getTextSelectionStart(), field.getTextSelectionEnd());
        int to = Math.max(field.getTextSelectionStart(), field.getTextSelectionEnd());
        if (before.isEmpty()) {
            from = 0;
            to = 0;
        } else if (from < 0 || to > before.length()) {
            throw new Reader.Refused("where the cursor is, is not told");
        }
        String wanted = before.substring(0, from) + text + before.substring(to);
        long began = now();
        Bundle set = new Bundle();
        set.putCharSequence("ACTION_ARGUMENT_SET_TEXT_CHARSEQUENCE", wanted);
        if (!field.performAction(0x200000, set)) {
            if (now() - began >= CERTAIN) {
                throw new IllegalStateException("the app did not answer");
            }
            throw new Reader.Refused("the field takes no text");
        }
        Bundle cursor = new Bundle();
        cursor.putInt("ACTION_ARGUMENT_SELECTION_START_INT", from + text.length());
        cursor.putInt("ACTION_ARGUMENT_SELECTION_END_INT", from + text.length());
        field.performAction(0x20000, cursor);
        long until = now() + SHOWS;
        while (true) {
            if (field.refresh() && field.getText() != null && wanted.contentEquals(field.getText())) {
                return true;
            }
            if (now() >= until) {
                return false;
            }
            Thread.sleep(20);
        }
    }
}
