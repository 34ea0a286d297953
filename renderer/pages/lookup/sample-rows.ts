// Made-up rows, always the same ones, for difficult sources.

export interface SampleRow {
  id: string
  name: string
  city: string
  number: string
}

const first = ['Alpen', 'Baltic', 'Capital', 'Delta', 'Elbe', 'Fjord', 'Granit', 'Hansa', 'Iris', 'Jura']
const second = ['Handel', 'Metall', 'Optik', 'Paber', 'Portal', 'Saar', 'Tal', 'Vital', 'Werk', 'Zenit']
const forms = ['AG', 'AS', 'd.o.o.', 'GmbH', 'OÜ', 'S.à r.l.', 'SpA', 'sp. z o.o.', 'S.L.', 'ApS']
const cities = [
  'Bremen',
  'Tallinn',
  'Split',
  'Wien',
  'Luxembourg',
  'Warszawa',
  'Porto',
  'Århus',
  'Gent',
  'Győr',
]

export function createSampleRows(many: number): SampleRow[] {
  return Array.from({ length: many }, (_, n) => {
    const [a, b, c, d] = [
      n % 10,
      Math.floor(n / 10) % 10,
      Math.floor(n / 100) % 10,
      Math.floor(n / 1000) % 10,
    ]
    const tail = many > 1000 && d > 0 ? ` ${d + 1}` : ''
    return {
      id: `made-${String(n + 1).padStart(5, '0')}`,
      name: `${first[a]} ${second[b]} ${forms[c]}${tail}`,
      city: cities[(a + b + c + d) % 10]!,
      number: `X${(100_000_007 * (n + 1)) % 1_000_000_000}`,
    }
  })
}

export const rightToLeft: readonly SampleRow[] = [
  { id: 'rtl-1', name: 'مكتبة بيروت', city: 'بيروت', number: 'LB-2207' },
  { id: 'rtl-2', name: 'شركة النخيل للتجارة', city: 'دبي', number: 'AE-1180' },
  { id: 'rtl-3', name: 'מכון תל אביב לאופטיקה', city: 'תל אביב', number: 'IL-5521' },
  { id: 'rtl-4', name: 'דפוס ירושלים בע״מ', city: 'ירושלים', number: 'IL-5530' },
  { id: 'rtl-5', name: 'Kestrel Optics مشروع القاهرة', city: 'القاهرة', number: 'EG-0042' },
  { id: 'rtl-6', name: 'فروشگاه تهران', city: 'تهران', number: 'IR-3019' },
]

const long =
  'Gesellschaft zur gemeinschaftlichen Beschaffung, Veredelung und Weiterverteilung optischer Halbzeuge'
const unbroken = 'Donaudampfschifffahrtselektrizitätenhauptbetriebswerkbauunterbeamtengesellschaft'

export const veryLong: readonly SampleRow[] = [long, unbroken, `${long} ${unbroken}`, 'Kurz'].map(
  (name, n) => ({
    id: `long-${n + 1}`,
    name,
    city: n === 3 ? 'Ulm' : 'Llanfairpwllgwyngyllgogerychwyrndrobwllllantysiliogogogoch',
    number: `X${'0123456789'.repeat(n + 1)}`,
  }),
)
