package android.view.accessibility;

public final class AccessibilityEvent {
    private final int type;

    public AccessibilityEvent(int type) {
        this.type = type;
    }

    public int getEventType() {
        return type;
    }
}
