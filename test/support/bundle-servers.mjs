// For `npm test`: writes the bundles of both runners before any stage starts, because a stage that wrote them would
// replace files that processes of another stage are loading.
import { runners } from './bundled.mjs'
import { bundleServer } from './server-bundle.mjs'

for (const runner of runners) await bundleServer(runner)
