package android.graphics;

import java.awt.image.BufferedImage;
import java.io.IOException;
import java.io.OutputStream;
import javax.imageio.ImageIO;
import standin.World;

/** Pixels, packed by the computer's own Java. */
public final class Bitmap {
    public enum Config {
        ARGB_8888
    }

    public enum CompressFormat {
        PNG
    }

    final BufferedImage image;

    private Bitmap(int width, int height) {
        image = new BufferedImage(width, height, BufferedImage.TYPE_INT_ARGB);
    }

    public static Bitmap createBitmap(int width, int height, Config config) {
        return new Bitmap(width, height);
    }

    public boolean compress(CompressFormat format, int quality, OutputStream to) {
        try {
            return !World.is("unpacked") && ImageIO.write(image, "png", to);
        } catch (IOException problem) {
            return false;
        }
    }
}
