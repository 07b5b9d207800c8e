package android.content;

import android.content.pm.PackageManager;

public class Context {
    public PackageManager getPackageManager() {
        return new PackageManager();
    }
}
