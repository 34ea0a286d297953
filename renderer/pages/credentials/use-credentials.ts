// The credentials with the state of their secrets, and of the vault.
import { ref, shallowRef, watch } from 'vue'
import { fetchCredentials, fetchVault, type CredentialView, type VaultView } from '../../api/credentials.ts'
import { loadFailureMessage } from '../../api/request.ts'
import { useLatest } from '../../stores/use-latest.ts'
import { useOrg } from '../../stores/org.ts'

export function useCredentials() {
  const org = useOrg()
  const credentials = shallowRef<CredentialView[] | null>(null)
  const vault = shallowRef<VaultView | null>(null)
  const failure = ref('')
  const latest = useLatest()
  const load = (): Promise<void> =>
    latest.run(() => Promise.all([fetchCredentials(), fetchVault()]), {
      onResult([found, state]) {
        credentials.value = found
        vault.value = state
        failure.value = ''
      },
      onError: (error) => (failure.value = loadFailureMessage(error)),
    })
  watch(
    [() => org.epoch, () => org.can('integration.manage_credentials')],
    ([, may]) => (may ? void load() : undefined),
    { immediate: true },
  )
  return { credentials, vault, failure, load }
}
