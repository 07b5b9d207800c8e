package android.app;

import android.accessibilityservice.AccessibilityServiceInfo;
import android.os.Looper;
import android.view.accessibility.AccessibilityEvent;
import android.view.accessibility.AccessibilityNodeInfo;
import android.view.accessibility.AccessibilityWindowInfo;
import java.util.ArrayList;
import java.util.List;
import standin.World;

/** Keeps what it read until its cache is cleared, as Android's does. Its constructor is replaced for other versions. */
public final class UiAutomation {
    public interface OnAccessibilityEventListener {
        void onAccessibilityEvent(AccessibilityEvent event);
    }

    private AccessibilityServiceInfo info;
    private AccessibilityNodeInfo kept;

    public UiAutomation(Looper looper, IUiAutomationConnection connection) {}

    public void connect(int flags) {
        if (info != null) {
            throw new IllegalStateException("connected twice");
        }
        if (World.is("registered")) {
            throw new IllegalStateException("UiAutomationService is already registered!");
        }
        if (World.is("forbidden")) {
            throw new SecurityException("You do not have android.permission.RETRIEVE_WINDOW_CONTENT");
        }
        if (flags != 1) {
            World.note("suppresses other services");
        }
        info = new AccessibilityServiceInfo();
    }

    public void disconnect() {
        info = null;
    }

    public AccessibilityServiceInfo getServiceInfo() {
        return info;
    }

    public void setServiceInfo(AccessibilityServiceInfo info) {
        kept = null;
        this.info = info;
    }

    public boolean clearCache() {
        kept = null;
        return true;
    }

    public void setOnAccessibilityEventListener(OnAccessibilityEventListener listener) {
        World.tell(listener);
    }

    public AccessibilityNodeInfo getRootInActiveWindow() {
        if (kept == null) {
            kept = World.root();
        }
        return kept;
    }

    public List<AccessibilityWindowInfo> getWindows() {
        List<AccessibilityWindowInfo> windows = new ArrayList<>();
        if ((info.flags & 0x40) != 0) {
            windows.add(new AccessibilityWindowInfo());
        }
        return windows;
    }
}
