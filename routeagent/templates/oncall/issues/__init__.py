"""The issue tracker: what people have reported, who works on it, and new reports. 问题单:搜索、查看、新建。"""
