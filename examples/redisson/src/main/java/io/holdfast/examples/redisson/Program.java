package io.holdfast.examples.redisson;

import java.util.List;

/** The same program twice: each method uses one interface of Redisson, or its counterpart. */
interface Program extends AutoCloseable {

    void lock(Transcript said) throws Exception;

    void lockAsync(Transcript said) throws Exception;

    void fairLock(Transcript said) throws Exception;

    void readWriteLock(Transcript said) throws Exception;

    void multiLock(Transcript said) throws Exception;

    void semaphore(Transcript said) throws Exception;

    void permitExpirableSemaphore(Transcript said) throws Exception;

    void countDownLatch(Transcript said) throws Exception;

    @Override
    void close();

    /** Runs all of it. */
    default List<String> run() throws Exception {
        Transcript said = new Transcript();
        lock(said);
        lockAsync(said);
        fairLock(said);
        readWriteLock(said);
        multiLock(said);
        semaphore(said);
        permitExpirableSemaphore(said);
        countDownLatch(said);
        return said.lines();
    }
}
