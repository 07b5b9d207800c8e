package android.accessibilityservice;

public class AccessibilityServiceInfo {
    public int flags;
}
