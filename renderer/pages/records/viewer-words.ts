// Why a record is shared with a user, in words.
import type { RecordViewer } from '../../api/records.ts'

type Reason = RecordViewer['reasons'][number]

const kinds: Record<Exclude<Reason['kind'], 'sharing_rule'>, string> = {
  platform_root: 'platform.root',
  modify_all: 'edits all records',
  view_all: 'sees all records',
  default: 'shared with all users',
  owner: 'owner',
}

/** `sharing rule home`, `owner`. */
export const reasonWords = ({ kind, rule }: Reason): string =>
  kind === 'sharing_rule' ? `sharing rule ${rule ?? ''}`.trimEnd() : kinds[kind]
