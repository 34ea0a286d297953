// A public OData 4 server (npm odata-v4-server) over rows in memory, `node odata-server.ts <number of rows>`.
import { startPeer } from '../../../conformance/odata/peer.ts'
import { answerUsage } from './usage.ts'

const rows = Array.from({ length: Number(process.argv[2]) }, (_, at) => ({
  ...{
    Id: `order-${String(at).padStart(6, '0')}`,
    Name: `Order ${at}`,
    City: at % 2 === 0 ? 'Graz' : 'Wien',
  },
  ...{ Amount: at, Pieces: at % 100, Weight: at / 4, Placed: '2026-01-01', Open: at % 3 === 0 },
  ...{ SentAt: '2026-01-01T08:00:00Z', Status: 'Sent', Batch: null, Version: 1 },
}))
const { url, close } = await startPeer(rows)
answerUsage(url, close)
