package io.holdfast.cli;

import io.holdfast.Claimant;
import io.holdfast.LockState;
import io.holdfast.spi.LockStore;
import io.holdfast.spi.Resource;
import io.holdfast.spi.ResourceType;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.OptionalLong;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/**
 * {@code release NAME --token N}. It ends the claim that had this token at the last look. A claim's id is never used
 * again, so a later claim is not touched.
 */
@Command(
        name = "release",
        description = {
            "Ends the lock of a holder that can't end it itself, if it still has this token.",
            "Where the holder is alive after all, it is told when it next renews: within a third of its lease."
                    + " Until then two may believe that they have the lock."
        },
        mixinStandardHelpOptions = true)
final class ReleaseCommand implements Callable<Integer> {

    @Option(
            names = "--token",
            paramLabel = "TOKEN",
            required = true,
            description = "The token of the holder, as show prints it; refused if another one holds the lock by now.")
    private long token;

    @SuppressWarnings("NullAway.Init") // set by picocli
    @Mixin
    private SubjectOptions subject;

    @SuppressWarnings("NullAway.Init") // set by picocli
    @Mixin
    private StoreOptions store;

    @SuppressWarnings("NullAway.Init") // set by picocli
    @Mixin
    private OutputOptions output;

    @Override
    public Integer call() {
        String name = subject.name();
        ResourceType kind = subject.kind();
        if (kind == ResourceType.LATCH) {
            throw new CliException(Exit.USAGE, "nobody holds a latch, so it can't be released");
        }
        try (LockStore open = store.open("cli")) {
            Resource resource = new Resource(kind, name);
            LockState state = store.answer(open, open.inspect(resource));
            Claimant holder = state.holders().stream()
                    .filter(each -> Objects.equals(each.token(), token))
                    .findFirst()
                    .orElseThrow(() -> refused(name, state.holders()));
            if (!store.answer(open, open.forceRelease(resource, OptionalLong.of(token)))) {
                throw new CliException(Exit.NOT_HAD, Text.quoted(name) + " was given back a moment ago");
            }
            if (output.isJson()) {
                Map<String, Object> released = Structure.named(kind, name);
                released.put("released", Structure.of(holder));
                output.print(Json.write(released));
            } else {
                output.print("released " + Text.line(name) + ": it was held by " + Text.who(holder));
            }
        }
        return Exit.OK;
    }

    private CliException refused(String name, List<Claimant> holders) {
        String why = holders.isEmpty()
                ? "nobody holds it"
                : "it is held with "
                        + holders.stream()
                                .map(holder -> "token " + Text.token(holder) + " by " + Text.who(holder))
                                .collect(Collectors.joining("; "));
        return new CliException(
                Exit.NOT_HAD, Text.quoted(name) + " is not held with token " + token + " (any more): " + why);
    }
}
