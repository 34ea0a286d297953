// The state of a remote, in one phrase.
import type { RemoteView } from '#wire/remotes.ts'
import { count } from '../../text/words.ts'

export function driftWords({ contact }: Pick<RemoteView, 'contact'>): { words: string; tone: string } {
  switch (contact.state) {
    case 'never':
      return { words: 'not contacted yet', tone: 'muted' }
    case 'failed':
      return { words: 'unreachable', tone: 'err' }
    case 'reached':
      return contact.moved > 0
        ? { words: `${count(contact.moved, 'generation')} by others`, tone: 'warn' }
        : { words: 'no drift', tone: 'muted' }
  }
}
