package com.android.uiautomator.core;

import android.app.UiAutomation;
import java.lang.reflect.Constructor;

/** The phone's own, which knows its constructor whatever that is. */
public class UiAutomationShellWrapper {
    private UiAutomation made;

    public void connect() throws Exception {
        Constructor<?> only = UiAutomation.class.getDeclaredConstructors()[0];
        only.setAccessible(true);
        Object[] arguments = new Object[only.getParameterTypes().length];
        for (int at = 0; at < arguments.length; at++) {
            arguments[at] = only.getParameterTypes()[at] == int.class ? (Object) 0 : null;
        }
        made = (UiAutomation) only.newInstance(arguments);
        made.connect(0);
    }

    public UiAutomation getUiAutomation() {
        return made;
    }
}
