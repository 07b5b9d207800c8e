package android.graphics;

public class Canvas {
    private final Bitmap bitmap;

    public Canvas(Bitmap bitmap) {
        this.bitmap = bitmap;
    }

    public void fill(int[] bounds, int color) {
        for (int y = bounds[1]; y < bounds[3]; y++) {
            for (int x = bounds[0]; x < bounds[2]; x++) {
                bitmap.image.setRGB(x, y, color);
            }
        }
    }
}
