// The session, and sign-in when the server requires it: at the start on a page, during work in a dialog.
import { defineStore } from 'pinia'
import { ref, shallowRef, watch } from 'vue'
import { useRouter } from 'vue-router'
import type { SessionView, SignInMethod } from '#wire/session.ts'
import { onSignInRequired } from '../api/request.ts'
import { fetchSession, signIn, signOut } from '../api/session.ts'
import { useDocuments } from './documents.ts'
import { useLive } from './live.ts'
import { useOrg } from './org.ts'

/** The URL of the sign-in page; the server names it too. */
export const signInPath = '/sign-in'

export const useSession = defineStore('session', () => {
  const router = useRouter()
  const org = useOrg()
  const live = useLive()
  const documents = useDocuments()
  const session = shallowRef<SessionView | null>(null)
  /** The session ended during work: the user signs in again in place. */
  const ended = ref(false)
  /** The server's reason. */
  const words = ref('')

  /** How the current or the last user signed in. */
  const through = ref<SignInMethod>('link')

  async function ask(): Promise<void> {
    session.value = await fetchSession().catch(() => null)
    through.value = session.value?.through ?? through.value
  }

  /** Listens to every refusal for a missing sign-in, and to streams that end with a session. */
  function watchSession(): void {
    onSignInRequired((why) => {
      words.value = why
      if (location.pathname === signInPath) return
      if (org.org !== null) ended.value = true
      else void router.replace({ path: signInPath, query: { back: addressHere() } })
    })
    // While no user is signed in, the server refuses the event stream.
    watch(ended, (isEnded) => (isEnded ? live.stop() : live.listen()))
    watch(
      () => live.failures,
      () => {
        // A server that was started again can be without the session.
        if (org.org !== null && !ended.value) void ask()
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

  /** Signs the same user in again: waiting edits are saved, and missed events are read. @throws ApiError */
  async function signInAgain(password: string): Promise<void> {
    await signIn(org.org?.me.key ?? '', password)
    ended.value = false
    org.markChanged()
    await documents.saveAll()
  }

  /** Saves everything that was typed first. */
  async function leave(): Promise<void> {
    await documents.saveAll()
    await signOut()
    location.assign(signInPath)
  }

  return { session, through, ended, words, ask, watchOver: watchSession, again: signInAgain, leave }
})

/** A URL within the studio, as the browser shows it. */
function addressHere(): string {
  return location.pathname + location.search + location.hash
}
