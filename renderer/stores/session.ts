// Who is signed in, and whether the server asks for it: on the way in by a page, in the midst of work by a dialog (completions 6).
import { defineStore } from 'pinia'
import { ref, shallowRef, watch } from 'vue'
import { useRouter } from 'vue-router'
import type { SessionView, Through } from '#kernel/session/wire.ts'
import { onSignInAsked } from '../api/request.ts'
import { fetchSession, signIn, signOut } from '../api/session.ts'
import { useDocuments } from './documents.ts'
import { useLive } from './live.ts'
import { useOrg } from './org.ts'

/** Where people sign in; the server names it too. */
export const signInPath = '/sign-in'

export const useSession = defineStore('session', () => {
  const router = useRouter()
  const org = useOrg()
  const live = useLive()
  const documents = useDocuments()
  const session = shallowRef<SessionView | null>(null)
  /** The session ended in the midst of work: who is asked to sign in again, at the place where they are. */
  const ended = ref(false)
  /** Why the server asks. */
  const words = ref('')

  /** How whoever is here, or was last, came in. */
  const through = ref<Through>('link')

  async function ask(): Promise<void> {
    session.value = await fetchSession().catch(() => null)
    through.value = session.value?.through ?? through.value
  }

  /** Hears of every refusal of whoever is not signed in, and of streams that end with a session. */
  function watchOver(): void {
    onSignInAsked((why) => {
      words.value = why
      if (location.pathname === signInPath) return
      if (org.org !== null) ended.value = true
      else void router.replace({ path: signInPath, query: { back: addressHere() } })
    })
    // While nobody is signed in, the server refuses the stream of events.
    watch(ended, (isEnded) => (isEnded ? live.stop() : live.listen()))
    watch(
      () => live.state,
      (state) => {
        if (state === 'lost' && org.org !== null) void ask()
      },
    )
    watch(
      () => org.org?.me.key,
      (user) => {
        if (user !== undefined) void ask()
      },
      { immediate: true },
    )
  }

  /** The same person again: what waits is kept, what was missed is read. @throws ApiError */
  async function again(password: string): Promise<void> {
    await signIn(org.org?.me.key ?? '', password)
    ended.value = false
    org.moved()
    await documents.keepAll()
  }

  /** Everything typed is kept first. */
  async function leave(): Promise<void> {
    await documents.keepAll()
    await signOut()
    location.assign(signInPath)
  }

  return { session, through, ended, words, ask, watchOver, again, leave }
})

/** An address within the studio, as the browser shows it. */
function addressHere(): string {
  return location.pathname + location.search + location.hash
}
