// The bytes of the parts of bulk jobs, in files beside the org. A part becomes visible under a new name once it is on the
// disk, so that one that replaces another never mixes with it.
import { createReadStream } from 'node:fs'
import { mkdir, open, readdir, rename, rm } from 'node:fs/promises'
import { randomUUID } from 'node:crypto'
import { join } from 'node:path'
import type { PartStore, PartWriter } from '../../ports/ingest.ts'
import { storageError } from '../sqlite/storage-error.ts'

const readBytes = 256 * 1024

/** @param dir the folder of all jobs; made with the first part */
export function fileParts(dir: string): PartStore {
  const folderOf = (job: string): string => join(dir, job)
  return {
    begin: (job) => guarded(() => beginPart(folderOf(job))),
    read: (job, name, from) =>
      createReadStream(join(folderOf(job), name), { start: from, highWaterMark: readBytes }),
    overwrite: (job, name, at, bytes) => guarded(() => overwritePart(join(folderOf(job), name), at, bytes)),
    remove: (job, name) => guarded(() => rm(join(folderOf(job), name), { force: true })),
    removeAll: (job) => guarded(() => rm(folderOf(job), { recursive: true, force: true })),
    jobs: () => guarded(async () => (await readdir(dir).catch(orNone)) ?? []),
  }
}

async function beginPart(folder: string): Promise<PartWriter> {
  await mkdir(folder, { recursive: true, mode: 0o700 })
  const name = randomUUID()
  const [writing, kept] = [join(folder, `${name}.new`), join(folder, name)]
  const file = await open(writing, 'wx', 0o600)
  const discard = async (): Promise<void> => {
    await file.close().catch(() => undefined)
    await rm(writing, { force: true })
  }
  return {
    write: (bytes) => guarded(() => file.writeFile(bytes)),
    keep: () =>
      guarded(async () => {
        await file.datasync()
        await file.close()
        await rename(writing, kept)
        await syncFolder(folder)
        return name
      }),
    discard,
  }
}

async function overwritePart(path: string, at: number, bytes: Uint8Array): Promise<void> {
  const file = await open(path, 'r+').catch(orNone)
  if (file === null) return
  try {
    for (let done = 0; done < bytes.length;)
      done += (await file.write(bytes, done, bytes.length - done, at + done)).bytesWritten
    await file.datasync()
  } finally {
    await file.close()
  }
}

async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder)
  await handle.sync().finally(() => handle.close())
}

const orNone = (error: NodeJS.ErrnoException): null => {
  if (error.code === 'ENOENT') return null
  throw error
}

/** @throws AlmanacError `storage.*` */
async function guarded<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    throw storageError(error)
  }
}
