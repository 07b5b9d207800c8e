//! What a phone answers, by command line. Expected values from AOSP 14's sources and the captured samples.

mod answers;
mod dumps;
mod faults;
mod hands;

/// The frames below every command inside the system server.
const OUTER: &str = "\tat com.android.modules.utils.BasicShellCommandHandler.exec(BasicShellCommandHandler.java:97)\n\tat \
     android.os.ShellCommand.exec(ShellCommand.java:38)\n\tat android.os.Binder.shellCommand(Binder.java:1103)\n\tat \
     android.os.Binder.onTransact(Binder.java:923)\n\tat android.os.Binder.execTransact(Binder.java:1339)\n";
