package io.holdfast.simulation.log;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.slf4j.ILoggerFactory;
import org.slf4j.IMarkerFactory;
import org.slf4j.Marker;
import org.slf4j.event.Level;
import org.slf4j.helpers.BasicMarkerFactory;
import org.slf4j.helpers.LegacyAbstractLogger;
import org.slf4j.helpers.MessageFormatter;
import org.slf4j.helpers.NOPMDCAdapter;
import org.slf4j.spi.MDCAdapter;
import org.slf4j.spi.SLF4JServiceProvider;

/** Keeps what was logged as an error by the thread that runs a world, and drops everything else. */
public final class ErrorLog implements SLF4JServiceProvider {

    private static final ThreadLocal<List<String>> ERRORS = ThreadLocal.withInitial(ArrayList::new);

    private final ILoggerFactory loggers = name -> new ErrorLogger();
    private final IMarkerFactory markers = new BasicMarkerFactory();
    private final MDCAdapter mdc = new NOPMDCAdapter();

    /** What this thread has logged as an error since the list was last cleared. */
    public static List<String> errors() {
        return ERRORS.get();
    }

    @Override
    public ILoggerFactory getLoggerFactory() {
        return loggers;
    }

    @Override
    public IMarkerFactory getMarkerFactory() {
        return markers;
    }

    @Override
    public MDCAdapter getMDCAdapter() {
        return mdc;
    }

    @Override
    public String getRequestedApiVersion() {
        return "2.0.99";
    }

    @Override
    public void initialize() {}

    private static final class ErrorLogger extends LegacyAbstractLogger {

        private static final long serialVersionUID = 1L;

        @Override
        protected void handleNormalizedLoggingCall(
                Level level,
                @Nullable Marker marker,
                String message,
                Object @Nullable [] arguments,
                @Nullable Throwable thrown) {
            String text = MessageFormatter.basicArrayFormat(message, arguments);
            StringBuilder error = new StringBuilder(text);
            if (thrown != null) {
                error.append(": ").append(thrown);
                for (int i = 0; i < Math.min(8, thrown.getStackTrace().length); i++) {
                    error.append("\n        at ").append(thrown.getStackTrace()[i]);
                }
            }
            ERRORS.get().add(error.toString());
        }

        @Override
        protected @Nullable String getFullyQualifiedCallerName() {
            return null;
        }

        @Override
        public boolean isErrorEnabled() {
            return true;
        }

        @Override
        public boolean isTraceEnabled() {
            return false;
        }

        @Override
        public boolean isDebugEnabled() {
            return false;
        }

        @Override
        public boolean isInfoEnabled() {
            return false;
        }

        @Override
        public boolean isWarnEnabled() {
            return false;
        }
    }
}
