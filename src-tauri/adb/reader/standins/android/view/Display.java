package android.view;

import android.graphics.Point;

public final class Display {
    public int getRotation() {
        return 0;
    }

    public void getRealSize(Point size) {
        size.x = 1080;
        size.y = 2400;
    }
}
