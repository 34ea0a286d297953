// Retrieves into a directory: byte-stable, and removes only what an earlier retrieve wrote there.
import { splitId, type ComponentId } from '#kernel/components/component.ts'
import type { ComponentView } from '#kernel/components/view.ts'
import { ComponentFolder } from '../files/index.ts'
import type { OrgReader } from '../ports/org-store.ts'
import { carriedDescription } from './carried-description.ts'
import { descriptionPathOf, fileText, manifestName, manifestText, pathOf } from './directory-layout.ts'
import { readManifest } from './read-directory.ts'

export interface RetrieveOutcome {
  generation: number
  written: number
  unchanged: number
  removed: number
}

/**
 * Writes what `view` shows of a generation to `dir`, which is created if it is missing. Unchanged files are not
 * touched.
 */
export function writeDirectory(
  reader: Pick<OrgReader, 'components' | 'descriptions' | 'properties'>,
  { generation, view }: { generation: number; view: ComponentView },
  dir: string,
  progress?: (done: number) => void,
): RetrieveOutcome {
  const { lineage } = reader.properties.get()
  const folder = new ComponentFolder(dir)
  const owned = ownedFiles(reader, dir, lineage)
  const result: RetrieveOutcome = { generation, written: 0, unchanged: 0, removed: 0 }
  const write = (path: string, text: string): void => {
    owned.delete(path)
    result[folder.write(path, text) ? 'written' : 'unchanged'] += 1
  }
  for (const component of view.all()) {
    write(pathOf(component.type, component.key), fileText(component))
    const description = carriedDescription(reader, component)
    if (description !== null) write(descriptionPathOf(component.key), description)
    progress?.(result.written + result.unchanged)
  }
  for (const path of owned) if (folder.remove(path)) result.removed += 1
  // Last, so that after an interruption the earlier manifest still lists what is owned.
  write(manifestName, manifestText({ lineage, generation }))
  return result
}

/** Paths that the retrieve before wrote; empty if it was of another org, or if its generation is gone. */
function ownedFiles(reader: Pick<OrgReader, 'components'>, dir: string, lineage: string): Set<string> {
  const manifest = readManifest(dir)
  if (manifest === null || manifest.lineage !== lineage) return new Set()
  const ids: Iterable<ComponentId> = reader.components.digests(manifest.generation).keys()
  return new Set(
    [...ids].flatMap((id) => {
      const { type, key } = splitId(id)
      const path = pathOf(type, key)
      return type === 'external_service' ? [path, descriptionPathOf(key)] : [path]
    }),
  )
}
