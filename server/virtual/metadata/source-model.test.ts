import { describe, expect, it } from 'vitest'
import { parsed } from '../fixture.ts'
import { draftObject, refusedEntitySet } from './draft-object.ts'
import { readMetadata, type EntitySet } from './source-model.ts'
import { metadataLimits } from './xml-elements.ts'

const edm = (schema: string, more = ''): string => `<?xml version="1.0" encoding="UTF-8"?>
<edmx:Edmx Version="4.0" xmlns:edmx="http://docs.oasis-open.org/odata/ns/edmx">
<edmx:Reference Uri="https://oasis-tcs.github.io/odata-vocabularies/vocabularies/Org.OData.Core.V1.xml">
<edmx:Include Namespace="Org.OData.Core.V1" Alias="Core"/></edmx:Reference>
<edmx:DataServices><Schema Namespace="Sales" Alias="Self" xmlns="http://docs.oasis-open.org/odata/ns/edm">
${schema}</Schema>${more}</edmx:DataServices></edmx:Edmx>`

const container =
  '<EntityContainer Name="Container"><EntitySet Name="Orders" EntityType="Self.Order"/></EntityContainer>'
const orderType = `
<EnumType Name="Status"><Member Name="Draft" Value="0"/><Member Name="PaidInFull" Value="1"/></EnumType>
<EnumType Name="Options" IsFlags="true"><Member Name="Rush" Value="1"/></EnumType>
<TypeDefinition Name="Money" UnderlyingType="Edm.Decimal" Precision="14" Scale="2"/>
<ComplexType Name="Address"><Property Name="City" Type="Edm.String"/></ComplexType>
<EntityType Name="Entity" Abstract="true"><Key><PropertyRef Name="ID"/></Key>
<Property Name="ID" Type="Edm.Int64" Nullable="false"/></EntityType>
<EntityType Name="Order" BaseType="Self.Entity">
<Property Name="CustomerName" Type="Edm.String" Nullable="false" MaxLength="80"/>
<Property Name="Total" Type="Self.Money"/><Property Name="Rate" Type="Edm.Decimal" Precision="9" Scale="variable"/>
<Property Name="Weight" Type="Edm.Double"/><Property Name="Lines" Type="Edm.Int32" Nullable="false"/>
<Property Name="Placed" Type="Edm.Date"/><Property Name="ChangedAt" Type="Edm.DateTimeOffset">
<Annotation Term="Core.Computed"/></Property><Property Name="ChangedBy" Type="Edm.String" Nullable="false"/>
<Property Name="IsOpen" Type="Edm.Boolean"/><Property Name="Batch" Type="Edm.Guid"/>
<Property Name="Status" Type="Self.Status"/><Property Name="Options" Type="Sales.Options"/>
<Property Name="ShipTo" Type="Self.Address"/><Property Name="Tags" Type="Collection(Edm.String)"/>
<Property Name="Photo" Type="Edm.Stream"/><NavigationProperty Name="Customer" Type="Self.Entity"/>
</EntityType>
<Annotations Target="Self.Order/ChangedBy"><Annotation Term="Org.OData.Core.V1.Permissions" EnumMember="Org.OData.Core.V1.Permission/Read"/></Annotations>`

const json = JSON.stringify({
  $Version: '4.01',
  $EntityContainer: 'Sales.Container',
  $Reference: {
    'https://example.org/core.json': { $Include: [{ $Namespace: 'Org.OData.Core.V1', $Alias: 'Core' }] },
  },
  Sales: {
    $Alias: 'Self',
    Status: { $Kind: 'EnumType', Draft: 0, 'Draft@Core.Description': 'New', PaidInFull: 1 },
    Options: { $Kind: 'EnumType', $IsFlags: true, Rush: 1 },
    Money: { $Kind: 'TypeDefinition', $UnderlyingType: 'Edm.Decimal', $Precision: 14, $Scale: 2 },
    Address: { $Kind: 'ComplexType', City: {} },
    Entity: { $Kind: 'EntityType', $Key: ['ID'], ID: { $Type: 'Edm.Int64' } },
    Order: {
      $Kind: 'EntityType',
      $BaseType: 'Self.Entity',
      CustomerName: { $MaxLength: 80 },
      Total: { $Type: 'Self.Money', $Nullable: true },
      Rate: { $Type: 'Edm.Decimal', $Nullable: true, $Precision: 9, $Scale: 'variable' },
      Weight: { $Type: 'Edm.Double', $Nullable: true },
      Lines: { $Type: 'Edm.Int32' },
      Placed: { $Type: 'Edm.Date', $Nullable: true },
      ChangedAt: { $Type: 'Edm.DateTimeOffset', $Nullable: true, '@Core.Computed': true },
      ChangedBy: { '@Core.Permissions': 'Read' },
      IsOpen: { $Type: 'Edm.Boolean', $Nullable: true },
      Batch: { $Type: 'Edm.Guid', $Nullable: true },
      Status: { $Type: 'Self.Status', $Nullable: true },
      Options: { $Type: 'Self.Options', $Nullable: true },
      ShipTo: { $Type: 'Self.Address', $Nullable: true },
      Tags: { $Type: 'Edm.String', $Collection: true, $Nullable: true },
      Photo: { $Type: 'Edm.Stream', $Nullable: true },
      Customer: { $Kind: 'NavigationProperty', $Type: 'Self.Entity' },
    },
    Container: { $Kind: 'EntityContainer', Orders: { $Collection: true, $Type: 'Self.Order' } },
  },
})

const only = (text: string): EntitySet => readMetadata(text)[0]!
const draft = (set: EntitySet) =>
  draftObject(set, { dataSource: 'erp', taken: { objects: new Set(['orders']), valueSets: new Set() } })

describe.each([
  ['XML', edm(orderType + container)],
  ['JSON', json],
])('metadata as %s', (_, text) => {
  const { object, valueSets, unmapped, notes } = draft(only(text))

  it('becomes an object that can be applied', () => {
    const parsedObject = parsed('object', object.key, object.body)
    expect(parsedObject).toMatchObject({
      key: 'orders_2',
      body: {
        storage: 'external',
        dataSource: 'erp',
        remoteEntity: 'Orders',
        externalId: 'ID',
        nameField: 'customer_name',
      },
    })
    expect(object.label).toBe('Orders')
  })

  it('has a typed field for each property that one can hold', () => {
    expect(object.body['fields']).toEqual([
      {
        key: 'id',
        type: 'number',
        precision: 19,
        scale: 0,
        remoteType: 'Edm.Int64',
        label: 'ID',
        remoteField: 'ID',
        required: true,
      },
      {
        key: 'customer_name',
        type: 'text',
        label: 'Customer name',
        remoteField: 'CustomerName',
        required: true,
      },
      { key: 'total', type: 'number', precision: 14, scale: 2, label: 'Total', remoteField: 'Total' },
      { key: 'rate', type: 'number', precision: 10, scale: 10, label: 'Rate', remoteField: 'Rate' },
      {
        key: 'weight',
        type: 'number',
        precision: 38,
        scale: 15,
        remoteType: 'Edm.Double',
        label: 'Weight',
        remoteField: 'Weight',
      },
      {
        key: 'lines',
        type: 'number',
        precision: 10,
        scale: 0,
        remoteType: 'Edm.Int32',
        label: 'Lines',
        remoteField: 'Lines',
        required: true,
      },
      { key: 'placed', type: 'date', label: 'Placed', remoteField: 'Placed' },
      { key: 'changed_at', type: 'datetime', label: 'Changed at', remoteField: 'ChangedAt', readOnly: true },
      { key: 'changed_by', type: 'text', label: 'Changed by', remoteField: 'ChangedBy', readOnly: true },
      { key: 'is_open', type: 'boolean', label: 'Is open', remoteField: 'IsOpen' },
      { key: 'batch', type: 'text', remoteType: 'Edm.Guid', label: 'Batch', remoteField: 'Batch' },
      {
        key: 'status',
        type: 'enum',
        remoteType: 'Sales.Status',
        label: 'Status',
        remoteField: 'Status',
        valueSet: 'status',
      },
    ])
    expect(valueSets).toEqual([
      {
        type: 'value_set',
        key: 'status',
        label: 'Status',
        body: {
          values: [
            { key: 'Draft', label: 'Draft' },
            { key: 'PaidInFull', label: 'Paid in full' },
          ],
        },
      },
    ])
  })

  it('reports what has no field, and what was assumed', () => {
    expect(unmapped.map(({ property, reason }) => `${property} ${reason}`)).toEqual([
      'Options is an enumeration whose values can have several members',
      'ShipTo has a complex or unknown type; map a part of it by its path, as in Address/City',
      'Tags is a list, and a field has one value',
      'Photo is a file, and no field type can hold it',
    ])
    expect(notes.map(({ property }) => property)).toEqual(['Rate', 'Weight'])
  })
})

describe('metadata', () => {
  const keyed = (key: string, properties: string) =>
    only(edm(`<EntityType Name="Order"><Key>${key}</Key>${properties}</EntityType>${container}`))

  it.each([
    [
      '<PropertyRef Name="A"/><PropertyRef Name="B"/>',
      '<Property Name="A" Type="Edm.String"/>',
      'has 2 properties (A, B)',
    ],
    ['', '<Property Name="A" Type="Edm.String"/>', 'has no key'],
    [
      '<PropertyRef Name="A"/>',
      '<Property Name="A" Type="Edm.Date"/>',
      'is not a text, a GUID or a whole number',
    ],
  ])('with the key %s has no object', (key, properties, reason) => {
    const set = keyed(key, properties)
    expect(refusedEntitySet(set)).toContain(reason)
    expect(() => draft(set)).toThrow(reason)
  })

  it.each([
    ['a DTD', `<!DOCTYPE x [<!ENTITY a "b">]>${edm(orderType)}`, 'has a DOCTYPE'],
    ['an external DTD', `<!DOCTYPE x SYSTEM "file:///etc/passwd"><x/>`, 'has a DOCTYPE'],
    ['an unknown entity', edm('&bomb;'), 'not well-formed'],
    ['an open element', edm('<EntityType>'), 'not well-formed'],
    ['a different document', '<html xmlns="http://www.w3.org/1999/xhtml"/>', 'begins with <html>'],
    ['no document', '', 'not well-formed'],
    [
      'OData 2',
      '<edmx:Edmx xmlns:edmx="http://schemas.microsoft.com/ado/2007/06/edmx" Version="1.0"/>',
      'different protocol version',
    ],
    ['too many elements', edm('<a/>'.repeat(metadataLimits.elements)), 'more than 200000 elements'],
    ['too many levels', edm('<a>'.repeat(80)), 'more than 64 levels deep'],
    ['too many characters', ' '.repeat(metadataLimits.characters + 1), 'at most 16777216'],
    ['broken JSON', '{"$Version": "4.0"', 'not valid JSON'],
    ['JSON of something else', '{"a": 1}', 'not a CSDL document'],
  ])('with %s is refused', (_, text, reason) => {
    expect(() => readMetadata(text)).toThrow(reason)
  })

  it('with a cycle of base types ends', () => {
    const cycle = '<EntityType Name="Order" BaseType="Self.B"/><EntityType Name="B" BaseType="Self.Order"/>'
    expect(only(edm(cycle + container))).toMatchObject({ key: [], properties: [] })
  })

  it('with a cycle of base types has only the own properties of a type in it', () => {
    const type = (name: string, base: string): string =>
      `<EntityType Name="${name}" BaseType="Self.${base}"><Property Name="Of${name}" Type="Edm.String"/></EntityType>`
    const set = (name: string): string => `<EntitySet Name="${name}" EntityType="Self.${name}"/>`
    const names = ['Order', 'B', 'C']
    const sets = readMetadata(
      edm(
        `${type('Order', 'B')}${type('B', 'C')}${type('C', 'B')}<EntityContainer Name="All">${names.map(set).join('')}</EntityContainer>`,
      ),
    )
    expect(sets.map(({ name, properties }) => [name, ...properties.map((each) => each.name)])).toEqual([
      ['B', 'OfB'],
      ['C', 'OfC'],
      ['Order', 'OfB', 'OfOrder'],
    ])
  })

  it('resolves each of 2,000 types that derive from each other once', { timeout: 10_000 }, () => {
    const at = [...Array(2000).keys()]
    const properties = [...Array(20).keys()]
    const types = at.map((each) => {
      const start =
        each === 0
          ? '<EntityType Name="T0"><Key><PropertyRef Name="P0_0"/></Key>'
          : `<EntityType Name="T${each}" BaseType="Self.T${each - 1}">`
      return `${start}${properties.map((name) => `<Property Name="P${each}_${name}" Type="Edm.String"/>`).join('')}</EntityType>`
    })
    const sets = at.map((each) => `<EntitySet Name="S${each}" EntityType="Self.T${each}"/>`)
    const found = readMetadata(
      edm(`${types.toReversed().join('')}<EntityContainer Name="All">${sets.join('')}</EntityContainer>`),
    )
    const [first, last] = [
      found.find(({ name }) => name === 'S0')!,
      found.find(({ name }) => name === 'S1999')!,
    ]
    expect(last).toMatchObject({ key: ['P0_0'], propertyCount: 40_000 })
    expect(found.map(refusedEntitySet).filter((reason) => reason !== null)).toEqual([])
    expect(last.properties).toHaveLength(40_000)
    expect(last.properties[0]).toBe(first.properties[0])
    expect(last.properties.at(-1)!.name).toBe('P1999_19')
  })

  it('with names that are reserved or equal has a key for each', () => {
    const names = ['Config', 'order_date', 'OrderDate', '2ndName', 'Ärger', 'HTTPStatus', 'x'.repeat(120)]
    const set = keyed(
      '<PropertyRef Name="Config"/>',
      names.map((name) => `<Property Name="${name}" Type="Edm.String"/>`).join(''),
    )
    const fields = draft(set).object.body['fields'] as { key: string; label: string }[]
    expect(fields.map(({ key }) => key)).toEqual([
      'config_value',
      'order_date',
      'order_date_2',
      'field_2nd_name',
      'arger',
      'http_status',
      'x'.repeat(76),
    ])
    expect(fields[5]!.label).toBe('HTTP status')
  })
})
