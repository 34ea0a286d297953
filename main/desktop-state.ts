// What the desktop remembers between starts: the last open org, and each org's port.
import { z } from 'zod'
import { readJsonFile, writeJsonFile } from './json-file.ts'

const content = z.object({
  org: z.string().nullable().catch(null),
  ports: z.record(z.string(), z.int().min(1).max(65_535)).catch({}),
})

export interface DesktopState {
  /** Folder of the org that was open last; null at the first start. */
  org(): string | null
  /** A page's own storage belongs to its origin, so an org keeps its port, and no other org gets it. */
  port(org: string): number | null
  /** Records what was opened, and on which port it listens. */
  recordOpened(org: string, port: number): void
}

/** If the file cannot be read or written, only convenience is lost. */
export function createDesktopState(path: string): DesktopState {
  const read = () => content.safeParse(readJsonFile(path)).data ?? { org: null, ports: {} }
  return {
    org: () => read().org,
    port: (org) => read().ports[org] ?? null,
    recordOpened(org, port) {
      const { ports } = read()
      try {
        writeJsonFile(path, { org, ports: { [org]: port, ...ports } })
      } catch (error) {
        process.emitWarning(`The desktop could not write ${path}: ${String(error)}`)
      }
    },
  }
}
