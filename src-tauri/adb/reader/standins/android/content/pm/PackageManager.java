package android.content.pm;

import android.graphics.drawable.Drawable;
import standin.World;

/** Knows the apps the world's file names. */
public class PackageManager {
    public static class NameNotFoundException extends Exception {
        public NameNotFoundException(String name) {
            super(name);
        }
    }

    public Drawable getApplicationIcon(String name) throws NameNotFoundException {
        if (World.is("dead")) {
            throw new RuntimeException("android.os.DeadSystemException");
        }
        Integer color = World.icon(name);
        if (color == null) {
            throw new NameNotFoundException(name);
        }
        if (World.is("heavy")) {
            throw new OutOfMemoryError("an icon of 400 megapixels");
        }
        while (World.is("slow")) {
            World.pause();
        }
        return new Drawable(color);
    }
}
