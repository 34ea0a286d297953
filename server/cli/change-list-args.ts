// The change list of a command: a directory or drafts, with the chosen repairs.
import { parseRepairChoice, type RepairChoice } from '#kernel/change/index.ts'
import type { ComponentId } from '#kernel/components/component.ts'
import type { Finding } from '#kernel/errors/finding.ts'
import { repairChanges } from '../import/index.ts'
import { readDirectory, loadChanges, type LoadedChanges, type Manifest } from '../pipeline/index.ts'
import type { DraftRow } from '#wire/index.ts'
import type { Viewer } from '../access/index.ts'
import { UsageError } from './fail.ts'
import type { LocalOrg } from './local-org.ts'
import { hasFlag, listOption } from './options.ts'
import type { ChangeListInput } from './org-api.ts'
import type { Call } from './command-definition.ts'

export interface ChangeListArgs {
  list: ChangeListInput
  /** Findings of reading and repairing; the plan adds its own. */
  findings: Finding[]
  /** What the acting user can see. */
  viewer: Viewer | null
  /** Drafts that the list contains; they are discarded once it is applied. */
  drafts: Pick<DraftRow, 'id' | 'version'>[]
  /** Components that repairs removed from the drafts; a later import of the same rows omits them too. */
  dropped: ComponentId[]
  /** The base generation: of the directory's retrieve, or of the oldest draft. */
  base?: number
}

export function repairsOf(call: Call): RepairChoice[] {
  return listOption(call, 'repair').map(parseRepairChoice)
}

/**
 * `--drafts` takes the drafts of the acting user; `--drafts all` also takes those of other users.
 * @throws UsageError if neither a directory nor --drafts is given, or both; AlmanacError files.invalid
 */
export async function changeListFromArgs(call: Call): Promise<ChangeListArgs> {
  const drafts = hasFlag(call, 'drafts')
  const everyone = drafts && call.args[0] === 'all'
  const dir = everyone ? undefined : call.args[0]
  if (drafts === (dir !== undefined))
    throw new UsageError(
      drafts
        ? 'Pass a directory or --drafts, not both.'
        : 'Pass a directory, or --drafts to use the drafts in the org.',
    )
  const ids = everyone ? (await (await call.org()).drafts()).map(({ id }) => id) : undefined
  const breaking = listOption(call, 'breaking') as ComponentId[]
  if (breaking.length > 0 && !drafts && !hasFlag(call, 'prune'))
    throw new UsageError(
      '--breaking needs --rollback, --revert, --prune or --drafts. Otherwise put "breaking": true on the component.',
    )
  const confirmed = breaking.length === 0 ? {} : { breaking }
  const list: ChangeListInput = drafts
    ? { kind: 'drafts', ids, ...confirmed }
    : { kind: 'directory', dir: dir!, prune: hasFlag(call, 'prune'), ...confirmed }
  const choices = repairsOf(call)
  if (choices.length === 0) return { list, findings: [], drafts: [], dropped: [], viewer: null }
  if (hasFlag(call, 'prune')) throw new UsageError('--prune and --repair cannot be combined. Repair first.')
  return repairList(await call.localOrg(), list, choices)
}

function repairList(
  local: LocalOrg,
  list: ChangeListInput,
  choices: readonly RepairChoice[],
): ChangeListArgs {
  const { org, viewer, actor } = local
  return org.store.read((reader) => {
    const loadedList: LoadedList =
      list.kind === 'drafts'
        ? loadChanges(reader, list, { user: actor, viewer })
        : loadDirectory((list as { dir: string }).dir)
    const terms = {
      today: org.clock.today(),
      viewer,
      access: viewer === null ? null : local.access(),
    }
    const result = repairChanges(reader, loadedList, choices, terms)
    const base =
      loadedList.drafts.length > 0
        ? oldestBase(loadedList.drafts)
        : baseOf(loadedList.manifest ?? null, reader.properties.get().lineage)
    return {
      list: {
        kind: 'components',
        components: result.components.map(({ component, hints }) => ({ ...component, ...hints })),
        removals: result.removals,
        ...('breaking' in list ? { breaking: list.breaking } : {}),
        invalidComponents: loadedList.invalidComponents,
      },
      viewer,
      findings: [...loadedList.findings, ...result.findings],
      drafts: loadedList.drafts,
      dropped: list.kind === 'drafts' ? result.dropped : [],
      ...(base === null ? {} : { base }),
    }
  })
}

type LoadedList = Pick<
  LoadedChanges,
  'components' | 'removals' | 'findings' | 'invalidComponents' | 'drafts'
> & {
  manifest?: Manifest | null
}

function oldestBase(drafts: readonly DraftRow[]): number {
  return Math.min(...drafts.map(({ baseGeneration }) => baseGeneration))
}

/** Directories can be moved between orgs, so only a directory retrieved from this org names a base generation. */
function baseOf(manifest: Manifest | null, lineage: string): number | null {
  return manifest !== null && manifest.lineage === lineage ? manifest.generation : null
}

function loadDirectory(dir: string): LoadedList {
  return { ...readDirectory(dir), removals: [], drafts: [] }
}
