package android.graphics.drawable;

import android.graphics.Canvas;

/** A square of one colour. */
public class Drawable {
    private final int color;
    private int[] bounds = {0, 0, 0, 0};

    public Drawable(int color) {
        this.color = color;
    }

    public void setBounds(int left, int top, int right, int bottom) {
        bounds = new int[] {left, top, right, bottom};
    }

    public void draw(Canvas canvas) {
        canvas.fill(bounds, color);
    }
}
