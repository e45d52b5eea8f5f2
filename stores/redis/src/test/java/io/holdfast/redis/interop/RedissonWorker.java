package io.holdfast.redis.interop;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import org.redisson.Redisson;
import org.redisson.api.RLock;
import org.redisson.api.RedissonClient;
import org.redisson.config.Config;

/** A process that takes Redisson's locks as it is told: one command on standard input, one answer on standard output. */
public final class RedissonWorker {

    private RedissonWorker() {}

    /** The argument: where Redis is. */
    public static void main(String[] args) throws Exception {
        Config config = new Config();
        config.useSingleServer()
                .setAddress(args[0])
                .setConnectionMinimumIdleSize(1)
                .setConnectionPoolSize(4)
                .setSubscriptionConnectionMinimumIdleSize(1)
                .setSubscriptionConnectionPoolSize(2);
        RedissonClient redisson = Redisson.create(config);
        BufferedReader commands = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        System.out.println("ready");
        for (String line = commands.readLine(); line != null; line = commands.readLine()) {
            String[] words = line.split(" ", 2);
            System.out.println(run(redisson, words[0], words[1]));
        }
        Runtime.getRuntime().halt(0);
    }

    private static String run(RedissonClient redisson, String command, String argument) throws IOException {
        switch (command) {
            case "lock" -> redisson.getLock(argument).lock();
            case "unlock" -> redisson.getLock(argument).unlock();
            case "read" -> redisson.getReadWriteLock(argument).readLock().lock();
            case "unread" -> redisson.getReadWriteLock(argument).readLock().unlock();
            case "write" -> redisson.getReadWriteLock(argument).writeLock().lock();
            case "unwrite" -> redisson.getReadWriteLock(argument).writeLock().unlock();
            case "try" -> {
                return redisson.getLock(argument).tryLock() ? "got" : "busy";
            }
            case "count" -> {
                String[] words = argument.split(" ", 3);
                count(redisson.getLock(words[2]), new RacyFile(Path.of(words[1])), Integer.parseInt(words[0]));
            }
            default -> throw new IllegalArgumentException(command);
        }
        return "done";
    }

    private static void count(RLock lock, RacyFile counter, int times) throws IOException {
        for (int i = 0; i < times; i++) {
            lock.lock();
            try {
                counter.increment();
            } finally {
                lock.unlock();
            }
        }
    }
}
