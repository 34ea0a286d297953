// Reads a large directory in two threads: half of the time is spent on opening and checking its files.
import { MessageChannel, receiveMessageOnPort, Worker, type MessagePort } from 'node:worker_threads'
import type { Component } from '#kernel/components/body-types.ts'
import { threadEnv, youngMb } from '../system/index.ts'
import { DirectoryBlocks } from './directory-blocks.ts'
import { readFiles, type FileContents } from './directory-file.ts'

/** What the second thread receives. */
export interface SharedDirectory {
  dir: string
  paths: readonly string[]
  shared: SharedArrayBuffer
  port: MessagePort
}

/** What it sends for a block: for each file its component, or null if the file has to be read here. */
export interface BlockMessage {
  block: number
  /** Of `(Component | null)[]`. */
  json: string
}

/** After this time without a block, the second thread has failed, and its blocks are read here. */
const maxWaitMs = 1000

/**
 * Reads files of a directory. The result is that of `readFiles` for parts of them, in their order, even if the second
 * thread fails.
 */
export function* readInTwoThreads(
  dir: string,
  paths: readonly string[],
  start: (directory: SharedDirectory) => Worker = startThread,
): Iterable<FileContents> {
  const blocks = DirectoryBlocks.of(paths.length)
  const { port1: port, port2 } = new MessageChannel()
  const thread = start({ dir, paths, shared: blocks.shared, port: port2 })
  // If it cannot start, everything is read here.
  thread.on('error', () => undefined)
  thread.unref()
  const ours = new Map<number, FileContents>()
  const received = new Map<number, (Component | null)[]>()
  const receive = (): void => {
    for (let next = receiveMessageOnPort(port); next !== undefined; next = receiveMessageOnPort(port)) {
      const { block, json } = next.message as BlockMessage
      received.set(block, JSON.parse(json) as (Component | null)[])
    }
  }
  for (let block = blocks.take(); block !== null; block = blocks.take()) {
    ours.set(block, readFiles(dir, blocks.filesOf(block, paths)))
    receive()
  }
  const theirs = blocks.count - ours.size
  for (let sent = blocks.sent; sent < theirs && blocks.waitForMore(sent, maxWaitMs); sent = blocks.sent);
  receive()
  port.close()
  void thread.terminate()

  for (let block = 0; block < blocks.count; block += 1) {
    const files = blocks.filesOf(block, paths)
    const components = received.get(block)
    if (components === undefined) yield ours.get(block) ?? readFiles(dir, files)
    else yield* completed(dir, files, components)
  }
}

/** What was received for some files, with the contents of those that were left. */
function* completed(
  dir: string,
  files: readonly string[],
  components: readonly (Component | null)[],
): Iterable<FileContents> {
  let received: FileContents['components'] = []
  for (const [index, component] of components.entries()) {
    if (component !== null) received.push({ component, hints: {} })
    else {
      yield { components: received, findings: [], invalidComponents: [] }
      received = []
      yield readFiles(dir, [files[index]!])
    }
  }
  yield { components: received, findings: [], invalidComponents: [] }
}

function startThread(directory: SharedDirectory): Worker {
  const thread = new Worker(new URL('./directory-worker.ts', import.meta.url), {
    env: threadEnv(),
    resourceLimits: { maxYoungGenerationSizeMb: youngMb.small },
  })
  thread.postMessage(directory, [directory.port])
  return thread
}
