// The accounts of the current user, followed while a consent is waiting in a different browser.
import { onUnmounted, ref, shallowRef, watch } from 'vue'
import { fetchAccounts, type ConnectedAccount } from '../../api/accounts.ts'
import { loadFailureMessage } from '../../api/request.ts'
import { useOrg } from '../../stores/org.ts'
import { useLatest } from '../../stores/use-latest.ts'

const followMs = 1500

export const isWaiting = ({ last }: ConnectedAccount): boolean =>
  last?.state === 'waiting' || last?.state === 'exchanging'

export function useAccounts() {
  const org = useOrg()
  const accounts = shallowRef<ConnectedAccount[] | null>(null)
  const failure = ref('')
  const latest = useLatest()
  let timer: ReturnType<typeof setTimeout> | undefined
  const load = (): Promise<void> =>
    latest.run(fetchAccounts, {
      onResult(found) {
        accounts.value = found
        failure.value = ''
      },
      onError: (error) => (failure.value = loadFailureMessage(error)),
      onEnd() {
        clearTimeout(timer)
        if (accounts.value?.some(isWaiting)) timer = setTimeout(() => void load(), followMs)
      },
    })
  watch(
    () => org.epoch,
    () => void load(),
    { immediate: true },
  )
  onUnmounted(() => clearTimeout(timer))
  return { accounts, failure, load }
}
