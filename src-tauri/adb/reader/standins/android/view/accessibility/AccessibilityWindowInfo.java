package android.view.accessibility;

import android.graphics.Rect;

public final class AccessibilityWindowInfo {
    public int getId() {
        return 7;
    }

    public int getType() {
        return 1;
    }

    public int getLayer() {
        return 0;
    }

    public boolean isActive() {
        return true;
    }

    public boolean isFocused() {
        return true;
    }

    public void getBoundsInScreen(Rect bounds) {
        bounds.set(0, 0, 1080, 2400);
    }
}
