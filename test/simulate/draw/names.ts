/** What histories send to, and the filters that lists and consumers are drawn from. */
export const destinations = ["queue://q.a", "queue://q.b", "queue://q.x.a", "topic://t.a", "topic://t.b", "topic://t.x.a"] as const;
/** Declared, as what keeps order must be. */
export const orderedDestinations = ["queue://q.f.fifo", "topic://t.f.fifo"] as const;
export const patterns = [
  "queue://q.*",
  "queue://q.>",
  "queue://>",
  "queue://q.x.>",
  "topic://t.*",
  "topic://t.>",
  "topic://>",
  "topic://t.x.>",
] as const;
export const advisoryFilters = ["Queue.>", "Topic.>", "Queue.q.a,ActiveMQ.Advisory.Consumer.Topic.t.>", "Queue.q.*", ">"] as const;
