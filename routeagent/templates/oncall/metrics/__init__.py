"""Measured series: error rate, latency, pool, queue. 监控指标:错误率、延迟、连接数、队列积压。"""
