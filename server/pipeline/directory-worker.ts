// The second thread that reads a large directory. It sends components as JSON, which is parsed faster than files are
// read. A file with hints, or with anything to report, is left to the first thread.
import { parentPort } from 'node:worker_threads'
import { DirectoryBlocks } from './directory-blocks.ts'
import { plainComponent } from './directory-file.ts'
import type { BlockMessage, SharedDirectory } from './directory-thread.ts'

parentPort!.once('message', ({ dir, paths, shared, port }: SharedDirectory) => {
  const blocks = new DirectoryBlocks(shared)
  for (let block = blocks.take(); block !== null; block = blocks.take()) {
    const components = blocks.filesOf(block, paths).map((path) => plainComponent(dir, path))
    port.postMessage({ block, json: JSON.stringify(components) } satisfies BlockMessage)
    blocks.markSent()
  }
  port.close()
})
